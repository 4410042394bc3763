// Compiles the template of a JSON body: JSON whose strings hold expressions. A string that is one expression takes the value's type, so that
// nothing that a lead contains can change the structure (contract 13.1).
import { type Compiled, compileExpression, joined, type Render, written } from './compile-template.rules.ts';
import { NOT_CLOSED, parsePieces, type TemplateFault } from './expression.rules.ts';
import type { KnownNames } from './names.rules.ts';
import { textOfValue } from './template-value.ts';

const DEPTH_MAX = 50;

/** Renders without the white space between the template's members. */
export function compileJson(template: string, known: KnownNames): Compiled<string> {
  const writer: Writer = { template, at: 0, known, parts: [], literal: '' };
  try {
    writeValue(writer, 0);
    skip(writer);
    if (writer.at < template.length) fail(writer.at, 'expected the end of the JSON');
  } catch (error) {
    if (error instanceof JsonFault) return { ok: false, fault: error.fault };
    throw error;
  }
  flush(writer);
  const { parts } = writer;
  return { ok: true, render: (rendering) => joined(parts, rendering) };
}

/** Leaves the parser from any depth. */
class JsonFault extends Error {
  readonly fault: TemplateFault;

  constructor(fault: TemplateFault) {
    super(fault.message);
    this.name = 'JsonFault';
    this.fault = fault;
  }
}

type Writer = {
  readonly template: string;
  at: number;
  readonly known: KnownNames;
  readonly parts: Render[];
  /** JSON text since the last part. */
  literal: string;
};

function fail(offset: number, message: string): never {
  throw new JsonFault({ offset, message });
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

function take(writer: Writer, pattern: RegExp): string | null {
  pattern.lastIndex = writer.at;
  const match = pattern.exec(writer.template);
  if (match === null) return null;
  writer.at = pattern.lastIndex;
  return match[0];
}

/** The next character after white space. */
function skip(writer: Writer): string {
  take(writer, SPACE);
  return writer.template.charAt(writer.at);
}

function flush(writer: Writer): void {
  const text = writer.literal;
  writer.literal = '';
  if (text !== '') writer.parts.push((rendering) => written(text, rendering));
}

function writeValue(writer: Writer, depth: number): void {
  const next = skip(writer);
  if (depth > DEPTH_MAX) fail(writer.at, 'is nested too deeply');
  if (next === '{') return writeMembers(writer, depth);
  if (next === '[') return writeItems(writer, depth);
  if (next === '"') return writeString(writer);
  const scalar = take(writer, SCALAR);
  if (scalar !== null) {
    writer.literal += scalar;
    return;
  }
  fail(
    writer.at,
    writer.template.startsWith('{{', writer.at)
      ? 'an expression in JSON stands in quotes: "{{ … }}"'
      : 'expected a JSON value: an object, a list, a text in double quotes, a number, true, false or null',
  );
}

function writeMembers(writer: Writer, depth: number): void {
  if (writer.template.startsWith('{{', writer.at)) fail(writer.at, 'an expression in JSON stands in quotes: "{{ … }}"');
  const names = new Set<string>();
  writeList(writer, '}', () => {
    const at = writer.at;
    if (skip(writer) !== '"') fail(writer.at, 'expected the name of a member in double quotes');
    const { value } = readString(writer);
    if (value.includes('{{')) fail(at, 'the name of a member cannot be an expression');
    if (names.has(value)) fail(at, `the member ${JSON.stringify(value)} stands here for the second time`);
    names.add(value);
    writer.literal += JSON.stringify(value);
    if (skip(writer) !== ':') fail(writer.at, 'expected a colon');
    writer.at += 1;
    writer.literal += ':';
    writeValue(writer, depth + 1);
  });
}

function writeItems(writer: Writer, depth: number): void {
  writeList(writer, ']', () => writeValue(writer, depth + 1));
}

/** From the bracket that opens to the one that closes. */
function writeList(writer: Writer, close: string, writeEntry: () => void): void {
  writer.literal += writer.template.charAt(writer.at);
  writer.at += 1;
  if (skip(writer) !== close) {
    for (;;) {
      skip(writer);
      writeEntry();
      if (skip(writer) !== ',') break;
      writer.at += 1;
      writer.literal += ',';
    }
  }
  if (skip(writer) !== close) fail(writer.at, `expected a comma or ${close}`);
  writer.at += 1;
  writer.literal += close;
}

/** `base` is where the text begins, null if escapes make positions in it unknown. */
function readString(writer: Writer): { readonly value: string; readonly start: number; readonly base: number | null } {
  const start = writer.at;
  const source = take(writer, STRING);
  if (source === null) fail(start, 'the text in double quotes does not end');
  const value = decoded(source);
  if (value === null) fail(start, 'the text in double quotes has a line break or an escape that JSON does not allow');
  return { value, start, base: source.includes('\\') ? null : start + 1 };
}

function decoded(source: string): string | null {
  try {
    return JSON.parse(source) as string;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function writeString(writer: Writer): void {
  const { value, start, base } = readString(writer);
  if (!value.includes('{{')) {
    writer.literal += JSON.stringify(value);
    return;
  }
  const failAt = ({ offset, message }: TemplateFault): never =>
    fail(
      base === null ? start : offset,
      message === NOT_CLOSED ? `${message}; in JSON, texts inside of it stand in single quotes` : message,
    );
  const parsed = parsePieces(value, base ?? 0);
  if (!parsed.ok) return failAt(parsed.fault);
  const texts: Render[] = [];
  for (const piece of parsed.value) {
    if (piece.kind === 'text') {
      texts.push(() => piece.text);
      continue;
    }
    const compiled = compileExpression(piece.expression, writer.known);
    if (!compiled.ok) return failAt(compiled.fault);
    const { render } = compiled;
    if (parsed.value.length === 1) {
      flush(writer);
      writer.parts.push((rendering) => written(JSON.stringify(render(rendering)), rendering));
      return;
    }
    texts.push((rendering) => textOfValue(render(rendering)));
  }
  flush(writer);
  writer.parts.push((rendering) => written(JSON.stringify(joined(texts, rendering)), rendering));
}
