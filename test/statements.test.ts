// Every statement is prepared against the migrated schema, and its parameters and columns are compared with the types that its
// declaration gives them: a renamed column, a wrong type or a parameter that nothing uses fails here.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { comparisonOf, type ExportedStatement, statementsOf } from './support/statements/compare-types.ts';
import { describeStatement, type DescribedStatement } from './support/statements/describe-statement.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const FILES = globSync('src/**/*.sql.ts', { cwd: ROOT }).toSorted();

let home: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  home = await createTestDatabase();
  client = new pg.Client(home.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await home.drop();
});

describe('The SQL statements', () => {
  it('can be prepared, and have the parameters and columns of their types', async () => {
    const statements = await readStatements();
    expect(statements.length).toBeGreaterThan(500);
    const described = new Map<ExportedStatement, DescribedStatement>();
    for (const statement of statements) described.set(statement, await describeStatement(client, statement.text));
    expect(await faultsIn(comparisonOf(described))).toEqual([]);
  });

  it('are reported if a type does not match', async () => {
    const claim = (await readStatements()).find(({ name }) => name === 'claims.find');
    if (claim === undefined) throw new Error('the example is gone');
    const { parameters, columns } = await describeStatement(client, claim.text);
    const bool = 16;
    const wrong: Readonly<Record<string, Partial<DescribedStatement>>> = {
      'as it is': {},
      'another parameter': { parameters: [bool] },
      'a column less': { columns: columns.slice(1) },
      'a column more': { columns: [...columns, { name: 'more', type: bool }] },
    };
    // Of one compilation, which takes longer than everything else here.
    const described = Object.entries(wrong).map(
      ([name, change]) =>
        [
          { ...claim, name },
          { parameters, columns, ...change },
        ] as const,
    );
    expect(await faultsIn(comparisonOf(new Map(described)))).toEqual([
      'another parameter: parameter claimId has another type',
      'a column less: column deliveryId is declared and not returned',
      'a column more: column more is returned and not declared',
    ]);
  });
});

async function readStatements(): Promise<ExportedStatement[]> {
  const statements: ExportedStatement[] = [];
  for (const file of FILES) {
    const exported = (await import(path.join(ROOT, file))) as Readonly<Record<string, unknown>>;
    statements.push(...statementsOf(path.join(ROOT, file), exported));
  }
  return statements;
}

/** What the compiler says of a source, with the name of the statement. */
async function faultsIn(source: string): Promise<string[]> {
  // Inside the project, where the compiler finds the types of its dependencies.
  const cache = path.join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'statements-'));
  await writeFile(path.join(folder, 'comparison.ts'), source);
  const config = { extends: '../../../tsconfig.json', include: ['comparison.ts'], exclude: [] };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const outcome = await promisify(execFile)(process.execPath, [compiler, '-p', folder], { maxBuffer: 2 ** 24 })
    .catch((error: unknown) => error as { stdout: string })
    .finally(() => rm(folder, { recursive: true }));
  const lines = source.split('\n');
  return [...outcome.stdout.matchAll(/^\S*\((\d+),\d+\): error (?:.|\n(?= ))*/gm)].map(([text, line]) => {
    const name = lines.slice(0, Number(line)).findLast((above) => above.startsWith('// '));
    return `${name?.slice(3) ?? '?'}: ${/Type '"(.*)"' (?:is not assignable|does not satisfy)/.exec(text)?.[1] ?? text}`;
  });
}
