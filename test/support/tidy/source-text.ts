// Reads TypeScript source for the tidy rules: code without comments and texts, and the imports.
import { strict as assert } from 'node:assert';

import { parseSync, type Program, Visitor } from 'oxc-parser';

/** A string or template literal; substitutions of a template read as `?`. */
type Literal = { readonly at: number; readonly text: string };
type Import = {
  readonly at: number;
  readonly specifier: string;
  readonly isType: boolean;
  /** What stands between `import` or `export` and `from`. */
  readonly clause: string;
};

export type SourceFile = {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** As long as `text`, with blanks for comments and for what literals contain. */
  readonly code: string;
  readonly literals: readonly Literal[];
  readonly imports: readonly Import[];
};

export function readSource(path: string, text: string): SourceFile {
  const { program, comments, module, errors } = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
  assert.deepEqual(errors, [], `${path} cannot be parsed`);
  const { literals, insides } = textsOf(program, text);
  const code = blanked(text, [...comments, ...insides]);
  const statics = program.body.flatMap((node): Import[] => {
    if (!('source' in node) || node.source === null) return [];
    const clause = code
      .slice(node.start, node.source.start)
      .replace(/^(?:import|export)/, '')
      .replace(/\bfrom\s*$/, '');
    return [{ at: node.start, specifier: node.source.value, isType: /^\s*type\b/.test(clause), clause }];
  });
  const texts = new Map(literals.map((literal) => [literal.at, literal.text]));
  const dynamics = module.dynamicImports.map(({ start, moduleRequest }): Import => {
    return { at: start, specifier: texts.get(moduleRequest.start) ?? '', isType: false, clause: '' };
  });
  const imports = [...statics, ...dynamics].toSorted((one, other) => one.at - other.at);
  return { path, text, code, literals, imports };
}

export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

type Span = { readonly start: number; readonly end: number };

/** Strings and templates, and the parts between the quotes of these and of regular expressions. */
function textsOf(program: Program, text: string): { literals: Literal[]; insides: Span[] } {
  const literals: Literal[] = [];
  const insides: Span[] = [];
  const inside = ({ start, end }: Span): Span => ({ start: start + 1, end: end - 1 });
  new Visitor({
    Literal(node) {
      if ('regex' in node) insides.push({ start: node.start + 1, end: node.end - node.regex.flags.length - 1 });
      if (typeof node.value !== 'string') return;
      insides.push(inside(node));
      literals.push({ at: node.start, text: text.slice(node.start + 1, node.end - 1) });
    },
    TemplateLiteral(node) {
      literals.push({ at: node.start, text: wordsOf(node.quasis) });
      insides.push(...node.quasis.map(insideOfPart));
    },
    TSTemplateLiteralType(node) {
      literals.push({ at: node.start, text: wordsOf(node.quasis) });
      insides.push(...node.quasis.map(insideOfPart));
    },
  }).visit(program);
  return { literals: literals.toSorted((one, other) => one.at - other.at), insides };
}

/** Without the quote, `${` or `}` on either side. */
function insideOfPart({ start, end, tail }: Span & { readonly tail: boolean }): Span {
  return { start: start + 1, end: end - (tail ? 1 : 2) };
}

function wordsOf(quasis: ReadonlyArray<{ readonly value: { readonly raw: string } }>): string {
  return quasis.map(({ value }) => value.raw).join('?');
}

function blanked(text: string, spans: readonly Span[]): string {
  let code = '';
  let at = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    code += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ');
    at = end;
  }
  return code + text.slice(at);
}
