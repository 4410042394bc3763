// Transactions on a real database: what is sent without waiting belongs to them, and the first failure is the one that is reported.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { statement } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const insertRow = statement<{ readonly id: number }>('test.insert_row', 'INSERT INTO tried (id) VALUES ($id::int)');
const countRows = statement<void, { rows: number }>('test.count_rows', 'SELECT count(*) AS rows FROM tried');
const inTransaction = statement<void, { rows: number }>(
  'test.in_transaction',
  `SELECT count(*) AS rows FROM pg_stat_activity WHERE pid = pg_backend_pid() AND xact_start < clock_timestamp() AND
     current_setting('transaction_isolation') = 'repeatable read'`,
);

let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
  await home.database.pool.query('CREATE TABLE tried (id int PRIMARY KEY)');
});
afterAll(() => home.drop());
beforeEach(() => home.database.pool.query('TRUNCATE tried'));

const rows = async (): Promise<unknown> => (await home.database.query(countRows))[0]?.rows;

describe('A transaction', () => {
  it('commits what was sent last without waiting for it', async () => {
    const value = await home.database.tx(async (tx) => {
      await tx.query(insertRow, { id: 1 });
      void tx.query(insertRow, { id: 2 });
      void tx.query(insertRow, { id: 3 });
      return 'done';
    });
    expect([value, await rows()]).toEqual(['done', 3]);
  });

  it('may be built without waiting at all', async () => {
    await home.database.tx((tx) => void tx.query(insertRow, { id: 1 }));
    expect(await rows()).toBe(1);
  });

  it('fails with a statement that was not waited for, and stores nothing', async () => {
    const work = home.database.tx(async (tx) => {
      await tx.query(insertRow, { id: 1 });
      void tx.query(insertRow, { id: 1 });
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await rows()).toBe(0);
  });

  it('reports the first failure, not those that follow from it', async () => {
    const work = home.database.tx(async (tx) => {
      await tx.query(insertRow, { id: 1 });
      void tx.query(insertRow, { id: 1 });
      await tx.query(insertRow, { id: 2 });
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await rows()).toBe(0);
  });

  it('fails although the work has caught the error of a statement', async () => {
    const work = home.database.tx(async (tx) => {
      await tx.query(insertRow, { id: 1 });
      await tx.query(insertRow, { id: 1 }).catch(() => undefined);
      return 'done';
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await rows()).toBe(0);
  });

  it('rolls back when the work throws, with statements still under way', async () => {
    const work = home.database.tx((tx) => {
      void tx.query(insertRow, { id: 1 });
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await rows()).toBe(0);
    // The connection is as good as before.
    await home.database.tx((tx) => void tx.query(insertRow, { id: 1 }));
    expect(await rows()).toBe(1);
  });

  it('has begun before its first statement runs', async () => {
    const [row] = await home.database.tx((tx) => tx.query(inTransaction), { snapshot: true });
    expect(row?.rows).toBe(1);
  });
});
