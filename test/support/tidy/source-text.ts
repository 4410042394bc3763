// Reads TypeScript source as far as the tidy rules need it: code apart from comments and texts, and the imports.

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
  const { code, literals } = separate(text);
  return { path, text, code, literals, imports: importsOf(code, literals) };
}

export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

const IMPORT = /(?<![.\w$])(?:(import|export)\b([^;'"`()=]*?)\bfrom\s*|import\s*\(?\s*)(['"])/g;

function importsOf(code: string, literals: readonly Literal[]): Import[] {
  const texts = new Map(literals.map((literal) => [literal.at, literal.text]));
  return [...code.matchAll(IMPORT)].map((match) => ({
    at: match.index,
    specifier: texts.get(match.index + match[0].length - 1) ?? '',
    isType: /^\s*type\b/.test(match[2] ?? ''),
    clause: match[2] ?? '',
  }));
}

type Reading = { readonly text: string; readonly out: string[]; readonly literals: Literal[] };

function separate(text: string): { code: string; literals: Literal[] } {
  const reading: Reading = { text, out: text.split(''), literals: [] };
  readCode(reading, 0, false);
  return { code: reading.out.join(''), literals: reading.literals };
}

/** Reads from `start` to the end of the text, or past the `}` that ends a template's substitution. */
function readCode(reading: Reading, start: number, inSubstitution: boolean): number {
  const { text } = reading;
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    const pair = text.slice(at, at + 2);
    if (pair === '//') at = blank(reading, at, endOf(text, '\n', at));
    else if (pair === '/*') at = blank(reading, at, endOf(text, '*/', at) + 2);
    else if (character === '"' || character === "'") at = readQuoted(reading, at, character);
    else if (character === '`') at = readTemplate(reading, at);
    else if (character === '/' && startsPattern(reading, at)) at = readPattern(reading, at);
    else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      at += 1;
      if (inSubstitution && depth < 0) return at;
    }
  }
  return at;
}

function readQuoted(reading: Reading, start: number, quote: string): number {
  let at = start + 1;
  while (at < reading.text.length && reading.text[at] !== quote) at += reading.text[at] === '\\' ? 2 : 1;
  reading.literals.push({ at: start, text: reading.text.slice(start + 1, at) });
  return blank(reading, start + 1, at) + 1;
}

function readTemplate(reading: Reading, start: number): number {
  const { text } = reading;
  let words = '';
  let at = start + 1;
  while (at < text.length && text[at] !== '`') {
    if (text.startsWith('${', at)) {
      at = readCode(reading, at + 2, true);
      words += '?';
    } else {
      const length = text[at] === '\\' ? 2 : 1;
      words += text.slice(at, at + length);
      at = blank(reading, at, at + length);
    }
  }
  reading.literals.push({ at: start, text: words });
  return at + 1;
}

/** A slash begins a regular expression where a value may begin, and divides after one. */
function startsPattern({ out }: Reading, at: number): boolean {
  const before = out
    .slice(Math.max(0, at - 40), at)
    .join('')
    .trimEnd();
  return (
    before === '' ||
    /[(,=:[!&|?{};+\-*%~^<>]$|\b(?:return|typeof|case|in|of|void|delete|throw|await|yield)$/.test(before)
  );
}

function readPattern(reading: Reading, start: number): number {
  const { text } = reading;
  let inClass = false;
  let at = start + 1;
  while (at < text.length && text[at] !== '\n' && (inClass || text[at] !== '/')) {
    if (text[at] === '[') inClass = true;
    if (text[at] === ']') inClass = false;
    at += text[at] === '\\' ? 2 : 1;
  }
  return blank(reading, start + 1, at) + 1;
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found;
}

function blank({ text, out }: Reading, from: number, to: number): number {
  const end = Math.min(to, text.length);
  for (let at = from; at < end; at += 1) if (text[at] !== '\n') out[at] = ' ';
  return end;
}
