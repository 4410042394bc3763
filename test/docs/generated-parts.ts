// What docs/api.md says that can be read off the OpenAPI document and the catalogue of codes: parameters, members, statuses and codes.
import { pageProblems } from '../../src/platform/http/page-problems.ts';
import { fieldCatalogue, problemCatalogue } from '../../src/platform/http/problem-catalogue.ts';
import type { Json } from '../support/scope-app.ts';
import { fieldCodesOf } from './field-refusals.ts';

const MARKED = /(<!-- generated: ([a-z-]+)(?: (\w+))? -->\n)[\s\S]*?(<!-- end -->)/g;

/** The text with every part between `<!-- generated: WHAT NAME -->` and `<!-- end -->` made anew. */
export function withGeneratedParts(text: string, document: Json): string {
  return text.replaceAll(MARKED, (_whole, opening: string, what: string, name: string | undefined, end: string) => {
    const make = parts[what];
    if (make === undefined) throw new Error(`docs/api.md asks for "${what}", which nobody makes`);
    return `${opening}\n${make(document, name ?? '')}\n\n${end}`;
  });
}

const parts: Readonly<Record<string, (document: Json, name: string) => string>> = {
  parameters: (document, id) => parametersOf(operationOf(document, id)).map(line).join('\n'),
  members: (document, name) => membersOf(document.components.schemas[name]).map(line).join('\n'),
  answers: (document, id) => answersOf(operationOf(document, id)),
  example: (document, name) => exampleOf(document.components.schemas[name]),
  operations: (document, tag) => operationsOf(document, tag),
  codes: () => codeTable(),
  'field-codes': () => fieldCodeTable(),
};

function operationOf(document: Json, id: string): Json {
  const found = Object.values<Json>(document.paths)
    .flatMap((item) => Object.values<Json>(item))
    .find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`docs/api.md asks for the operation "${id}", which does not exist`);
  return found;
}

function operationsOf(document: Json, tag: string): string {
  const rows = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([, { tags }]) => tags[0] === tag)
      .map(([method, { summary, description }]) => {
        const [, scope = ''] = /scope `(\w+)`\.$/.exec(description) ?? [];
        return [
          `\`${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}\``,
          `\`${scope}\``,
          String(summary),
        ];
      }),
  );
  return table([['Operation', 'Scope', 'What it does'], ...rows]);
}

type Member = { readonly name: string; readonly type: string; readonly description: string };

const line = ({ name, type, description }: Member): string =>
  `- \`${name}\`: ${type}${description === '' ? '' : `. ${sentence(description)}`}`;

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function parametersOf({ parameters }: Json): Member[] {
  return parameters
    .filter((parameter: Json) => parameter.in === 'query')
    .map(({ name, schema, description }: Json) => ({ name, type: typeOf(schema), description: description ?? '' }));
}

/** Of objects in it, too; their names are dotted, and `[]` stands behind a list. */
function membersOf(schema: Json, prefix = ''): Member[] {
  const required: string[] = schema.required ?? [];
  return Object.entries<Json>(schema.properties).flatMap(([own, member]) => {
    const name = prefix + own;
    const type = typeOf(member) + presence(required.includes(own), schema.additionalProperties !== undefined);
    const description: string = member.description ?? '';
    const [inner, mark] = innerOf(member);
    const self = { name, type, description };
    return inner === null ? [self] : [self, ...membersOf(inner, `${name}${mark}.`)];
  });
}

/** Of requests alone the document says what becomes of further members. */
function presence(isRequired: boolean, isRequest: boolean): string {
  if (isRequest) return isRequired ? ', required' : '';
  return isRequired ? '' : ', not always there';
}

function innerOf(schema: Json): readonly [schema: Json, mark: string] {
  const plain = withoutNull(schema);
  if (plain.properties !== undefined && Object.keys(plain.properties).length > 0) return [plain, ''];
  if (plain.type === 'array' && plain.items.properties !== undefined) return [plain.items, '[]'];
  return [null, ''];
}

function withoutNull(schema: Json): Json {
  const others = (schema.anyOf ?? []).filter((one: Json) => one.type !== 'null');
  return others.length === 1 ? { ...others[0], description: schema.description ?? others[0].description } : schema;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true` or `false`',
  object: 'object',
  null: '`null`',
};

function typeOf(schema: Json): string {
  const { anyOf, oneOf, $ref, type, format, items } = schema;
  if ($ref !== undefined) return `\`${$ref.split('/').at(-1)}\``;
  if (anyOf !== undefined || oneOf !== undefined) return (anyOf ?? oneOf).map(typeOf).join(' or ');
  if (schema.enum !== undefined) return `one of ${schema.enum.map((one: unknown) => `\`${String(one)}\``).join(', ')}`;
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (Array.isArray(type)) return type.map((one) => WORDS[one]).join(' or ');
  if (type === 'array') return items.properties === undefined ? `list of ${typeOf(items)}` : 'list of objects';
  if (format === 'date-time') return 'time';
  if (format === 'date') return 'day, `YYYY-MM-DD`';
  return `${WORDS[type] ?? 'any value'}${rangeOf(schema)}`;
}

// The page says once that text has at most so many characters, and a URL; what has another limit says so itself.
const USUAL_LENGTHS: ReadonlySet<unknown> = new Set([undefined, 500, 2048]);

function rangeOf({ minimum, maximum, maxLength, default: preset }: Json): string {
  const range = minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`;
  const length = USUAL_LENGTHS.has(maxLength) ? '' : `, at most ${Number(maxLength).toLocaleString('en')} characters`;
  return `${range}${length}${preset === undefined ? '' : `, ${preset} if left out`}`;
}

// What comes from below the operations, which the document tells of by `default`.
const ANYWHERE = ['bad_request', 'request_timeout', 'headers_too_large', 'internal_error'] as const;

/** A row for each status without a code, and for each code; those of fields stand beside the code that they come with. */
function answersOf({ operationId, responses }: Json): string {
  const rows = [
    ...Object.entries<Json>(responses).flatMap(([status, { description }]) =>
      status === 'default' ? [] : rowsOf(status, description, fieldCodesOf(operationId)),
    ),
    ...ANYWHERE.map((code) => [String(problemCatalogue[code].status), `\`${code}\``, problemCatalogue[code].meaning]),
  ].toSorted(([one = ''], [other = '']) => (one < other ? -1 : one > other ? 1 : 0));
  const statuses = [...new Set(rows.map(([status]) => status))].join(', ');
  return [
    '<details>',
    `<summary>Statuses and codes: ${statuses}</summary>`,
    '',
    table([['Status', 'Code', 'When'], ...rows]),
    '',
    '</details>',
  ].join('\n');
}

const NAMES_FIELDS = /^(?:invalid_query|validation_failed)$/;

function rowsOf(status: string, description: string, fieldCodes: readonly string[]): string[][] {
  const codes = [...description.matchAll(/`([a-z_]+)`: (.*?)(?= `[a-z_]+`: |$)/g)];
  // A status may come without a code besides, such as that of a lead which fails its checks.
  const plain = description.replace(/`[a-z_]+`: .*$/, '').replace(/, or a problem: $/, '');
  return [
    ...(plain === '' ? [] : [[status, '', sentence(plain)]]),
    ...codes.map(([, code = '', meaning = '']) => {
      const further = NAMES_FIELDS.test(code) ? fieldCodes.map((one) => `\`${one}\``).join(', ') : '';
      return [status, `\`${code}\``, further === '' ? meaning : `${meaning} In \`errors\`: ${further}.`];
    }),
  ];
}

/** The first one, which another test has found to be valid. */
function exampleOf({ examples }: Json): string {
  return `\`\`\`json\n${JSON.stringify(examples[0], null, 2)}\n\`\`\``;
}

function codeTable(): string {
  const rows = Object.entries(problemCatalogue)
    // Programs never meet those of our own pages.
    .filter(([code]) => !Object.hasOwn(pageProblems, code))
    .map(([code, { status, meaning, remedy }]) => [String(status), `\`${code}\``, meaning, remedy]);
  return table([['Status', 'Code', 'What happened', 'What to do'], ...rows]);
}

function fieldCodeTable(): string {
  const rows = Object.entries(fieldCatalogue).map(([code, { meaning, remedy }]) => [`\`${code}\``, meaning, remedy]);
  return table([['Code', 'What happened', 'What to do'], ...rows]);
}

/** As the formatter writes tables: columns as wide as their widest cell. */
function table(rows: ReadonlyArray<readonly string[]>): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const written = cells.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [written[0], rule, ...written.slice(1)].join('\n');
}
