// Tests that an unresponsive server costs its callers the connection and affects no others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Database, openDatabase, statement } from '../../src/platform/database/database.ts';
import { OutsideError } from '../../src/platform/outside-error.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const LOCK = 4_207_115_909;
const hold = statement('test.hold', `SELECT pg_advisory_lock(${LOCK})`);
const isThere = statement('test.is_there', 'SELECT 1 AS one');

let home: TestDatabase;
let database: Database;
beforeAll(async () => {
  home = await createTestDatabase();
  database = openDatabase({ connection: home.connection, connections: 2, responseWithinMs: 400 });
});
afterAll(async () => {
  await database.close();
  await home.drop();
});

describe('The time limit of statements', () => {
  it('fails a statement without a response and all after it, and opens a new connection for the next', async () => {
    await home.database.tx(async (tx) => {
      await tx.query(hold);
      const asked: Array<Promise<unknown>> = [];
      const work = database.tx(async (other) => {
        asked.push(other.query(hold), other.query(isThere));
        await Promise.all(asked);
      });
      await expect(work).rejects.toMatchObject({ name: OutsideError.name, code: 'outcome_unknown' });
      const outcomes = await Promise.allSettled(asked);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(await database.query(isThere)).toEqual([{ one: 1 }]);
    });
  });

  it('never cuts an idle connection', async () => {
    const client = await database.pool.connect();
    const [{ pid }] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows as [{ pid: number }];
    client.release();
    // Longer than a response may take, in checks of the watch.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const again = await database.pool.connect();
    const { rows } = await again.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    again.release();
    expect(rows).toEqual([{ pid }]);
  });

  it('cuts a slow statement, unless its transaction is patient', async () => {
    const slow = statement('test.slow', 'SELECT pg_sleep(1)');
    await expect(database.tx((tx) => tx.query(slow))).rejects.toMatchObject({ code: 'outcome_unknown' });
    await database.tx((tx) => tx.query(slow), { patient: true });
    expect(await database.query(isThere)).toEqual([{ one: 1 }]);
  });

  it('also applies to a connection outside the pool, unless it is for long commands', async () => {
    const longer = 'SELECT pg_sleep(1)';
    const client = await database.connect();
    client.on('error', () => undefined);
    await expect(client.query(longer)).rejects.toThrow('Query read timeout');
    const patient = await database.connect({ isPatient: true });
    expect((await patient.query(longer)).rowCount).toBe(1);
    await patient.end();
  });
});
