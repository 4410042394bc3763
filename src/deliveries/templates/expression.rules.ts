// Parses the text of a template into literal text and expressions such as `{{ lead.phone | phone: "dashes" }}` (contract 13.1). The language
// has no loops, conditions or arithmetic: an expression names one value and passes it through transforms.
import type { TemplateValue } from './template-value.ts';

/** `offset` counts UTF-16 units from the start of the template. */
export type TemplateFault = { readonly offset: number; readonly message: string };

export type Argument = {
  /** Null for an argument without a name. `else` without quotes is the fallback of `map`. */
  readonly name: { readonly text: string; readonly isElse: boolean } | null;
  readonly value: TemplateValue;
};

export type Step = { readonly transform: string; readonly args: readonly Argument[]; readonly offset: number };

export type Expression = {
  /** A text in quotes, or the parts of a name such as `lead.phone`. */
  readonly root: { readonly text: string } | { readonly path: readonly string[] };
  readonly steps: readonly Step[];
  readonly offset: number;
};

export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly offset: number }
  | { readonly kind: 'value'; readonly expression: Expression };

export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: TemplateFault };

const OPEN = '{{';
const CLOSE = '}}';
export const NOT_CLOSED = `the expression is not closed with ${CLOSE}`;
/** A longer chain is a mistake. */
const STEPS_MAX = 10;
const ARGUMENTS_MAX = 200;

/** Stops at the first error. `base` is added to all offsets. */
export function parsePieces(text: string, base = 0): Parsed<Piece[]> {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf(OPEN, at);
    const end = open === -1 ? text.length : open;
    if (end > at) pieces.push({ kind: 'text', text: text.slice(at, end), offset: base + at });
    if (open === -1) break;
    const reader = createReader(text, open + OPEN.length, base);
    const parsed = parseExpression(reader);
    if (!parsed.ok) return parsed;
    pieces.push({ kind: 'value', expression: parsed.value });
    at = reader.at();
  }
  return { ok: true, value: pieces };
}

type Reader = {
  /** The match at this position, after white space; null if there is none. */
  take(pattern: RegExp): RegExpExecArray | null;
  at(): number;
  /** The position of the next token. */
  offset(): number;
  fault(message: string): { readonly ok: false; readonly fault: TemplateFault };
};

/** Patterns must be sticky. */
function createReader(text: string, start: number, base: number): Reader {
  let at = start;
  const skip = (): void => {
    while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  };
  return {
    take(pattern) {
      skip();
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match !== null) at = pattern.lastIndex;
      return match;
    },
    at: () => at,
    offset() {
      skip();
      return base + at;
    },
    fault(message) {
      skip();
      const isAtEnd = at >= text.length;
      return {
        ok: false,
        fault: isAtEnd ? { offset: base + start - OPEN.length, message: NOT_CLOSED } : { offset: base + at, message },
      };
    },
  };
}

const NAME = /[A-Za-z_][\w-]*/y;
const DOT = /\./y;
const PIPE = /\|/y;
const COLON = /:/y;
const COMMA = /,/y;
const END = /\}\}/y;
const DOUBLE_QUOTED = /"((?:[^"\\\n]|\\["\\nt])*)"/y;
const SINGLE_QUOTED = /'((?:[^'\\\n]|\\['\\nt])*)'/y;
const NUMBER = /-?\d{1,15}(?:\.\d{1,10})?(?![\w.])/y;
const WORD = /(?:true|false|null)(?![\w-])/y;
const WORDS: Readonly<Record<string, TemplateValue>> = { true: true, false: false, null: null };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

function takeText(reader: Reader): string | null {
  const match = reader.take(DOUBLE_QUOTED) ?? reader.take(SINGLE_QUOTED);
  return match === null
    ? null
    : (match[1] ?? '').replaceAll(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

/** Undefined if there is no literal here. */
function takeLiteral(reader: Reader): TemplateValue | undefined {
  const text = takeText(reader);
  if (text !== null) return text;
  const number = reader.take(NUMBER);
  if (number !== null) return Number(number[0]);
  const word = reader.take(WORD);
  return word === null ? undefined : WORDS[word[0]];
}

function parseExpression(reader: Reader): Parsed<Expression> {
  const offset = reader.offset();
  const root = parseRoot(reader);
  if (!root.ok) return root;
  const steps: Step[] = [];
  while (reader.take(PIPE) !== null) {
    const step = parseStep(reader);
    if (!step.ok) return step;
    if (steps.length === STEPS_MAX) return reader.fault(`an expression may have at most ${STEPS_MAX} transforms`);
    steps.push(step.value);
  }
  if (reader.take(END) === null) return reader.fault(`expected | or ${CLOSE}`);
  return { ok: true, value: { root: root.value, steps, offset } };
}

function parseRoot(reader: Reader): Parsed<Expression['root']> {
  const text = takeText(reader);
  if (text !== null) return { ok: true, value: { text } };
  const first = reader.take(NAME);
  if (first === null) return reader.fault('expected a name such as lead.phone, or a text in quotes');
  const path = [first[0]];
  while (reader.take(DOT) !== null) {
    const next = reader.take(NAME);
    if (next === null) return reader.fault('expected a name after the dot');
    path.push(next[0]);
  }
  return { ok: true, value: { path } };
}

function parseStep(reader: Reader): Parsed<Step> {
  const offset = reader.offset();
  const name = reader.take(NAME);
  if (name === null) return reader.fault('expected the name of a transform after |');
  const args: Argument[] = [];
  if (reader.take(COLON) !== null) {
    do {
      const argument = parseArgument(reader);
      if (!argument.ok) return argument;
      if (args.length === ARGUMENTS_MAX) return reader.fault(`a transform may have at most ${ARGUMENTS_MAX} arguments`);
      args.push(argument.value);
    } while (reader.take(COMMA) !== null);
  }
  return { ok: true, value: { transform: name[0], args, offset } };
}

function parseArgument(reader: Reader): Parsed<Argument> {
  const before = takeLiteral(reader);
  if (before === undefined) {
    const name = reader.take(NAME);
    if (name === null || reader.take(COLON) === null) {
      return reader.fault('expected a text in quotes, a number, true, false or null');
    }
    return namedArgument(reader, { text: name[0], isElse: name[0] === 'else' });
  }
  if (reader.take(COLON) === null) return { ok: true, value: { name: null, value: before } };
  return namedArgument(reader, { text: before === null ? '' : String(before), isElse: false });
}

function namedArgument(reader: Reader, name: NonNullable<Argument['name']>): Parsed<Argument> {
  const value = takeLiteral(reader);
  return value === undefined
    ? reader.fault('expected a text in quotes, a number, true, false or null after the colon')
    : { ok: true, value: { name, value } };
}
