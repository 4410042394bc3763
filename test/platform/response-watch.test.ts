// Tests that an unresponsive server costs its callers the connection and affects no others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Database, openDatabase, statement } from '../../src/platform/database/database.ts';
import { OutsideError } from '../../src/platform/outside-error.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const LOCK = 4_207_115_909;
/** Until the end of the transaction. */
const hold = statement('test.hold', `SELECT pg_advisory_xact_lock(${LOCK})`);
const isThere = statement('test.is_there', 'SELECT 1 AS one');

let home: TestDatabase;
let database: Database;
beforeAll(async () => {
  home = await createTestDatabase();
  database = openDatabase({ connection: home.connection, connections: 2, responseWithinMs: 200 });
});
afterAll(async () => {
  await database.close();
  await home.drop();
});

/** Runs `work` while no other session gets the lock. */
async function whileHeld(work: () => Promise<unknown>): Promise<void> {
  await home.database.tx(async (tx) => {
    await tx.query(hold);
    await work();
  });
}

/** Takes as long as a response may take. */
const beCut = (): Promise<void> =>
  expect(database.tx((tx) => tx.query(hold))).rejects.toMatchObject({ code: 'outcome_unknown' });

describe('The time limit of statements', () => {
  it('fails a statement without a response and all after it, and opens a new connection for the next', async () => {
    await whileHeld(async () => {
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
    // Idle for longer than another one is allowed to wait for its response.
    await whileHeld(beCut);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    client.release();
    expect(rows).toEqual([{ pid }]);
  });

  it('cuts a slow statement, unless its transaction is patient', async () => {
    let patient: Promise<unknown> = Promise.resolve();
    await whileHeld(async () => {
      patient = database.tx((tx) => tx.query(hold), { patient: true });
      await beCut();
    });
    await patient;
    expect(await database.query(isThere)).toEqual([{ one: 1 }]);
  });

  it('also applies to a connection outside the pool, unless it is for long commands', async () => {
    const client = await database.connect();
    client.on('error', () => undefined);
    const patient = await database.connect({ isPatient: true });
    let slow: Promise<unknown> = Promise.resolve();
    await whileHeld(async () => {
      slow = patient.query(hold.text);
      await expect(client.query(hold.text)).rejects.toThrow('Query read timeout');
    });
    expect(await slow).toMatchObject({ rowCount: 1 });
    await patient.end();
  });
});
