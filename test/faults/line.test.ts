// Tests the proxy of the fault test: a fault without an effect would look like a harmless one.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Line, openLine } from './rounds/line.ts';
import { messageReader } from './rounds/wire.ts';

let stage: TestDatabase;
let line: Line;

beforeAll(async () => {
  stage = await createTestDatabase();
  await stage.database.pool.query('CREATE TABLE kept (word text)');
  const { host, port } = new pg.Client(stage.connection);
  line = await openLine(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
});

afterAll(async () => {
  await line.close();
  await stage.drop();
});

/** Connects through the proxy. */
async function connect(): Promise<pg.Client> {
  const { user, database, password } = new pg.Client(stage.connection);
  const common = { host: '127.0.0.1', port: line.port, user, database, ssl: false };
  const client = new pg.Client({
    ...common,
    ...(password === null ? {} : { password }),
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function keep(word: string): Promise<pg.QueryResult> {
  const client = await connect();
  await client.query('BEGIN');
  await client.query('INSERT INTO kept VALUES ($1)', [word]);
  return client.query('COMMIT');
}

async function words(): Promise<string[]> {
  const { rows } = await stage.database.pool.query<{ word: string }>('SELECT word FROM kept ORDER BY word');
  return rows.map(({ word }) => word);
}

describe('A line between a process and PostgreSQL', () => {
  it('cuts the connection before and after the server has a commit, and passes other messages', async () => {
    line.cutCommits(() => 'before');
    await expect(keep('before')).rejects.toThrow(/ECONNRESET|terminated/);
    line.cutCommits(() => 'after');
    await expect(keep('after')).rejects.toThrow(/ECONNRESET|terminated/);
    line.cutCommits(() => null);
    expect(await keep('whole')).toMatchObject({ command: 'COMMIT' });
    line.cutCommits(null);
    expect(await words()).toEqual(['after', 'whole']);
  });

  it('reports an open transaction before the client learns of it', async () => {
    const client = await connect();
    const seen: number[] = [];
    line.onOpenTransaction((statements) => seen.push(statements));
    await client.query('SELECT 1');
    expect(seen).toEqual([]);
    await client.query('BEGIN');
    await client.query('SELECT 1');
    expect(seen).toEqual([1, 2]);
    await client.query('ROLLBACK');
    line.onOpenTransaction(null);
    expect(seen).toEqual([1, 2]);
    await client.end();
  });

  it('refuses connections and accepts them again on the same port', async () => {
    const client = await connect();
    const ended = new Promise((resolve) => client.once('end', resolve));
    await line.refuse();
    await ended;
    await expect(connect()).rejects.toThrow('ECONNREFUSED');
    await line.accept();
    const next = await connect();
    expect((await next.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await next.end();
  });

  it('can stop forwarding: open connections stay dead, and new ones work afterwards', async () => {
    const dead = await connect();
    line.silence();
    let isAnswered = false;
    const response = dead.query('SELECT 1').then(
      () => (isAnswered = true),
      () => undefined,
    );
    line.speak();
    const next = await connect();
    await next.query('SELECT 1');
    expect(isAnswered).toBe(false);
    line.clearDead();
    await response;
    expect(isAnswered).toBe(false);
    await next.end();
  });

  it('ends a connection in the packet that accepts it', async () => {
    line.endAtWelcome(true);
    const client = await connect();
    await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminat|ECONNRESET/);
    line.endAtWelcome(false);
  });

  it('delays responses and keeps their order', async () => {
    const client = await connect();
    line.delay(30);
    const delayed = client.query('SELECT 1 AS one');
    line.delay(0);
    const both = await Promise.all([delayed, client.query('SELECT 2 AS one')]);
    expect(both.map(({ rows }) => rows)).toEqual([[{ one: 1 }], [{ one: 2 }]]);
    await client.end();
  });
});

describe('The reader of PostgreSQL messages', () => {
  it('returns whole messages for any split of the bytes', () => {
    const startup = Buffer.from([0, 0, 0, 6, 1, 2]);
    const query = Buffer.from([0x51, 0, 0, 0, 5, 0]);
    const all = Buffer.concat([startup, query, query]);
    for (let at = 0; at <= all.length; at += 1) {
      const read = messageReader({ startsUntyped: true });
      const messages = [...read(all.subarray(0, at)), ...read(all.subarray(at))];
      expect(messages.map(({ type }) => type)).toEqual([null, 'Q', 'Q']);
      expect(Buffer.concat(messages.map(({ bytes }) => bytes))).toEqual(all);
    }
  });
});
