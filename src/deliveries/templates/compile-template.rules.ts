// Compiles templates into functions that render them for one delivery, with values escaped by the kind of text (contract 13.1).
import { type Expression, parsePieces, type Piece, type TemplateFault } from './expression.rules.ts';
import { type KnownNames, sourceOf, type TemplateInput } from './names.rules.ts';
import { textOfValue, type TemplateValue } from './template-value.ts';
import { bindTransform, type Transform } from './transforms.rules.ts';

/** What a rendering collects: why the request cannot be sent, and texts that must be shown nowhere. */
export type Rendering = {
  readonly input: TemplateInput;
  /** In words that the partner may read. */
  readonly problems: Set<string>;
  /** Set if one of the problems is a missing secret, which the operator can mend. */
  isSecretMissing: boolean;
  /** Every text that a secret was turned into. */
  readonly hidden: Set<string>;
  /** UTF-16 units that may still be written. */
  room: number;
};

export type Render<Result = string> = (rendering: Rendering) => Result;
export type Compiled<Result> =
  | { readonly ok: true; readonly render: Render<Result> }
  | { readonly ok: false; readonly fault: TemplateFault };

/** The most that the parts of one request may come to, as UTF-16 units. */
export const REQUEST_LENGTH_MAX = 262_144;
const TOO_LONG = 'The request would be too long.';
/** Stands for secrets in a preview. */
export const HIDDEN = '••••';

export type Escape = (text: string) => string;

/** Applies `escape` to each value and `literal` to the text between them. */
export function compileText(
  template: string,
  { known, escape, literal = (text) => text }: { known: KnownNames; escape: Escape; literal?: Escape },
): Compiled<string> {
  const parsed = parsePieces(template);
  return parsed.ok ? compilePieces(parsed.value, { known, escapeAt: () => escape, literal }) : parsed;
}

/** `escapeAt` gives the escape of the piece with this index. */
export function compilePieces(
  pieces: readonly Piece[],
  { known, escapeAt, literal }: { known: KnownNames; escapeAt: (index: number) => Escape; literal: Escape },
): Compiled<string> {
  const parts: Render[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'text') {
      const text = literal(piece.text);
      parts.push((rendering) => written(text, rendering));
      continue;
    }
    const compiled = compileExpression(piece.expression, known);
    if (!compiled.ok) return compiled;
    const { render } = compiled;
    const escape = escapeAt(index);
    parts.push((rendering) => written(escape(textOfValue(render(rendering)).toWellFormed()), rendering));
  }
  return { ok: true, render: (rendering) => joined(parts, rendering) };
}

/** The texts of all parts; stops once there is no more room. */
export function joined(parts: readonly Render[], rendering: Rendering): string {
  let text = '';
  for (const part of parts) {
    text += part(rendering);
    if (text.length > REQUEST_LENGTH_MAX) rendering.problems.add(TOO_LONG);
    if (rendering.room < 0 || text.length > REQUEST_LENGTH_MAX) break;
  }
  return text;
}

/** The text if there is room for it. */
export function written(text: string, rendering: Rendering): string {
  rendering.room -= text.length;
  if (rendering.room >= 0) return text;
  rendering.problems.add(TOO_LONG);
  return '';
}

export function compileExpression(expression: Expression, known: KnownNames): Compiled<TemplateValue> {
  const source = sourceOf(expression, known);
  if ('offset' in source) return { ok: false, fault: source };
  const transforms: Transform[] = [];
  for (const step of expression.steps) {
    const bound = bindTransform(step);
    if (typeof bound === 'string') {
      const isUnknown = bound.startsWith('there is no transform');
      return { ok: false, fault: { offset: step.offset, message: isUnknown ? bound : `${step.transform}: ${bound}` } };
    }
    transforms.push(bound);
  }
  const through = (value: TemplateValue): TemplateValue => transforms.reduce((before, step) => step(before), value);
  if (source.kind === 'text') {
    const value = through(source.text);
    return { ok: true, render: () => value };
  }
  if (source.kind === 'value') {
    const { read } = source;
    return { ok: true, render: ({ input }) => through(read(input)) };
  }
  return { ok: true, render: (rendering) => secretValue(source.name, through, rendering) };
}

/** A secret that is missing is a problem, so that no request is sent without it. */
function secretValue(name: string, through: Transform, rendering: Rendering): TemplateValue {
  const { input, problems, hidden } = rendering;
  if (input.secrets === null) return HIDDEN;
  const secret = input.secrets.get(name);
  if (secret?.ok !== true) {
    rendering.isSecretMissing = true;
    problems.add(secret?.error ?? `The secret ${name} is not set.`);
    return null;
  }
  const value = through(secret.text);
  hidden.add(secret.text).add(textOfValue(value));
  return value;
}
