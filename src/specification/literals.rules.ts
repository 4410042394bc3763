// Writes JSON values as Python and PHP literals, indented.

type Style = {
  readonly text: (text: string) => string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly list: readonly [open: string, close: string];
  readonly object: readonly [open: string, close: string];
  readonly arrow: string;
};

/** A JSON string is a valid Python string. */
const PYTHON: Style = {
  text: (text) => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
  list: ['[', ']'],
  object: ['{', '}'],
  arrow: ': ',
};

/** In single quotes PHP interprets only escaped quotes and backslashes. */
const PHP: Style = {
  text: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  words: { true: 'true', false: 'false', null: 'null' },
  list: ['[', ']'],
  object: ['[', ']'],
  arrow: ' => ',
};

export function pythonLiteral(value: unknown): string {
  return literal(value, PYTHON, '');
}

/** Member names must not be numbers, which PHP would convert to integer keys. */
export function phpLiteral(value: unknown): string {
  return literal(value, PHP, '');
}

function literal(value: unknown, style: Style, indent: string): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value === 'number') return String(value);
  if (value === true || value === false || value === null) return style.words[String(value) as 'true'];
  const inner = `${indent}    `;
  const [[open, close], lines] = Array.isArray(value)
    ? ([style.list, value.map((item) => literal(item, style, inner))] as const)
    : ([
        style.object,
        Object.entries(value as Readonly<Record<string, unknown>>).map(
          ([name, member]) => `${style.text(name)}${style.arrow}${literal(member, style, inner)}`,
        ),
      ] as const);
  if (lines.length === 0) return open + close;
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
}
