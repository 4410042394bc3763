// Writes a source file that compiles only if the declared types of statements match those that PostgreSQL describes.
import pg from 'pg';

import type { DescribedStatement } from './describe-statement.ts';

export type ExportedStatement = {
  readonly name: string;
  readonly text: string;
  /** Names of the parameters, in the order of $1, $2, …. */
  readonly params: readonly string[];
  /** A type expression that is the statement's type. */
  readonly type: string;
};

/** The statements among the exports of a module, in objects and arrays too. */
export function statementsOf(file: string, exported: Readonly<Record<string, unknown>>): ExportedStatement[] {
  return Object.entries(exported).flatMap(([name, value]) => inside(value, `typeof import('${file}').${name}`));
}

function inside(value: unknown, type: string): ExportedStatement[] {
  if (typeof value === 'function' && 'all' in value) return inside(value.all, `(${type})['all']`);
  if (typeof value !== 'object' || value === null) return [];
  if (isStatement(value)) return [{ ...value, type }];
  if (Array.isArray(value)) return value.flatMap((item) => inside(item, `(${type})[number]`));
  return Object.entries(value).flatMap(([key, item]) => inside(item, `(${type})['${key}']`));
}

function isStatement(value: object): value is Omit<ExportedStatement, 'type'> {
  return 'name' in value && 'text' in value && 'params' in value;
}

const { builtins } = pg.types;

const SCALARS: Readonly<Record<number, { readonly column: string; readonly parameter: string }>> = {
  [builtins.BOOL]: { column: 'boolean', parameter: 'boolean' },
  [builtins.BYTEA]: { column: 'Buffer', parameter: 'Buffer' },
  [builtins.INT2]: { column: 'number', parameter: 'number' },
  [builtins.INT4]: { column: 'number', parameter: 'number' },
  // Identity hashes are 64 bits and travel as text.
  [builtins.INT8]: { column: 'number', parameter: 'number | bigint | string' },
  [builtins.FLOAT8]: { column: 'number', parameter: 'number' },
  [builtins.TEXT]: { column: 'string', parameter: 'string' },
  [builtins.UUID]: { column: 'string', parameter: 'string' },
  [builtins.DATE]: { column: 'Date', parameter: 'Date | string' },
  [builtins.TIMESTAMPTZ]: { column: 'Date', parameter: 'Date' },
  // Decoded, and as text.
  [builtins.JSON]: { column: 'any', parameter: 'string' },
  [builtins.JSONB]: { column: 'any', parameter: 'string' },
  [builtins.PG_LSN]: { column: 'string', parameter: 'string' },
};

/** OIDs of array types, with those of their items. */
const ARRAYS: Readonly<Record<number, number>> = {
  1000: builtins.BOOL,
  1001: builtins.BYTEA,
  1005: builtins.INT2,
  1007: builtins.INT4,
  1016: builtins.INT8,
  1022: builtins.FLOAT8,
  1009: builtins.TEXT,
  2951: builtins.UUID,
  1182: builtins.DATE,
  1185: builtins.TIMESTAMPTZ,
  3807: builtins.JSONB,
};

function typeOf(oid: number, use: 'column' | 'parameter'): string {
  const item = ARRAYS[oid];
  const scalar = SCALARS[item ?? oid]?.[use];
  if (scalar === undefined) throw new RangeError(`no type is known for the OID ${oid}`);
  if (item === undefined) return scalar;
  return use === 'column' ? `ReadonlyArray<${scalar}>` : `Buffer | ReadonlyArray<${scalar} | null>`;
}

const HEAD = `
type Types<Of> = Of extends { readonly types?: infer Way } ? NonNullable<Way> : never;
type Params<Of> = Types<Of> extends (params: infer Given) => unknown ? Given : never;
type Row<Of> = Types<Of> extends (params: never) => infer Returned ? Returned : never;
type Names<Of> = Of extends unknown ? keyof Of & string : never;
// Variants of a statement share a type, in which members that only some of them use are optional.
type Wanted<Of> = { [Name in keyof Of]-?: undefined extends Of[Name] ? never : Name }[keyof Of] & string;
type Member<Of, Name extends string> = Of extends unknown ? (Name extends keyof Of ? Of[Name] : never) : never;

type ParamFaults<Given, Known> =
  | \`parameter \${Exclude<Wanted<Given>, keyof Known>} is declared and not used\`
  | \`parameter \${Exclude<keyof Known & string, Names<Given>>} is used and not declared\`
  | { [Name in keyof Known & Names<Given>]: [NonNullable<Member<Given, Name>>] extends [Known[Name]] ? never : \`parameter \${Name} has another type\` }[keyof Known & Names<Given>];
type ColumnFaults<Declared, Known> =
  | \`column \${Exclude<Names<Declared>, keyof Known>} is declared and not returned\`
  | \`column \${Exclude<keyof Known & string, Names<Declared>>} is returned and not declared\`
  | { [Name in keyof Known & Names<Declared>]: [NonNullable<Member<Declared, Name>>] extends [Known[Name]] ? never : \`column \${Name} has another type\` }[keyof Known & Names<Declared>];
type ParamsFit<Of, Known> = ParamFaults<Params<Of> extends void ? {} : Params<Of>, Known>;
// Without declared rows only their number is read.
type ColumnsFit<Of, Known> = [Row<Of>] extends [never] ? never : ColumnFaults<Row<Of>, Known>;
declare const found: unknown;
`;

export function comparisonOf(statements: ReadonlyMap<ExportedStatement, DescribedStatement>): string {
  const lines = [...statements].map(([{ name, text, type, params }, { parameters, columns }]) => {
    const known = params.map((param, index) => `'${param}': ${typeOf(parameters[index] ?? 0, 'parameter')}`);
    const named = new Map(columns.map((column) => [column.name, column]));
    const returned = [...named.values()].map((column) => `'${column.name}': ${typeOf(column.type, 'column')}`);
    return [
      `// ${name}`,
      `found as ParamsFit<${type}, { ${known.join('; ')} }> satisfies never;`,
      // The rows of a cursor are known to the server only while it is open.
      ...(text.startsWith('FETCH')
        ? []
        : [`found as ColumnsFit<${type}, { ${returned.join('; ')} }> satisfies never;`]),
    ].join('\n');
  });
  return [HEAD, ...lines, 'export {};', ''].join('\n');
}
