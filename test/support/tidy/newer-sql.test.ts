// Tests the rule on SQL that PostgreSQL 15 does not understand: on examples, and by a real server of whichever version runs the tests.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../database.ts';
import { SALES } from './newer-sql-kind.ts';
import { findNewerSql, newerSql } from './newer-sql.ts';

const kinds = Object.entries(newerSql);
const rejected = kinds.flatMap(([what, { since, rejected: examples }]) =>
  examples.map((sql) => ({ what, since, sql })),
);
const allowed = kinds.flatMap(([what, { allowed: examples = [] }]) => examples.map((sql) => ({ what, sql })));

/** A syntax error, or an unknown column, function, table, setting, collation or option. */
const NOT_UNDERSTOOD = ['42601', '42703', '42883', '42P01', '42704', '22023', '0A000'];

describe('The rule on SQL newer than PostgreSQL 15', () => {
  it.each(rejected)('reports $what: $sql', ({ what, since, sql }) => {
    expect(findNewerSql(sql)).toContainEqual(expect.objectContaining({ what, since }));
    expect(findNewerSql(`-- ${sql}\nSELECT 1`)).toEqual([]);
    expect(findNewerSql(`/* ${sql} */ SELECT 1`)).toEqual([]);
  });

  it.each(allowed)('beside $what allows: $sql', ({ sql }) => {
    expect(findNewerSql(sql)).toEqual([]);
  });

  it('reads the bodies of functions and the texts that they execute', () => {
    const body = (sql: string) => `CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${sql}; END $$`;
    expect(findNewerSql(body('PERFORM uuidv7()'))).toHaveLength(1);
    expect(findNewerSql(body(`EXECUTE 'GRANT MAINTAIN ON sale TO PUBLIC'`))).toHaveLength(1);
    expect(findNewerSql(body(`EXECUTE format('GRANT MAINTAIN ON %I TO PUBLIC', 'sale')`))).toHaveLength(1);
    expect(findNewerSql(body(`RAISE EXCEPTION 'no uuidv7() and IS JSON here'`))).toEqual([]);
  });
});

describe('The server of this run', () => {
  let home: TestDatabase;
  let client: pg.Client;
  let major: number;

  beforeAll(async () => {
    home = await createTestDatabase({ isEmpty: true });
    client = new pg.Client(home.connection);
    await client.connect();
    await client.query(SALES);
    const { rows } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::integer AS version`,
    );
    major = Math.trunc((rows[0]?.version ?? 0) / 10_000);
  });
  afterAll(async () => {
    await client.end();
    await home.drop();
  });

  /** Undoes what it did. The code of the error, or null. */
  async function codeOf(sql: string): Promise<string | null> {
    await client.query('BEGIN');
    try {
      await client.query(sql);
      return null;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      return error.code ?? '';
    } finally {
      await client.query('ROLLBACK');
    }
  }

  it.each(rejected)('understands from its version on what the rule reports: $sql', async ({ since, sql }) => {
    const code = await codeOf(sql);
    if (major < since) expect(NOT_UNDERSTOOD).toContain(code);
    // A role that is not a superuser may not read the server's files.
    else expect([null, '42501']).toContain(code);
  });

  it.each(allowed)('understands what the rule allows: $sql', async ({ sql }) => {
    expect([null, '42501']).toContain(await codeOf(sql));
  });
});
