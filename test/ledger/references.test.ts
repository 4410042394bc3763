// Tests the references between transfers, entries and accounts that have no foreign key (decision 018).
import type { TransferId } from '../../src/base/ids.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftTransfers, enterTransfers } from '../../src/ledger/post-transfers.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { lockAccounts, openAccounts } from '../../src/ledger/accounts.ts';
import { accountsOf } from '../../src/ledger/transfer.rules.ts';
import { select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const now = new Date('2026-11-20T12:00:00Z');
const charge = {
  businessKey: 'sale:1',
  type: 'charge',
  buyerKey: 'summit',
  amountCents: 4500,
  description: 'A',
} as const;

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
  await home.database.tx((tx) => openAccounts(tx, ['summit']));
});
afterAll(() => home.drop());

describe('Ledger tables', () => {
  it('reject a transfer of an account that is not open', async () => {
    const draft = home.database.tx((tx) =>
      draftTransfers(tx, [charge, { ...charge, buyerKey: 'nobody', businessKey: 'x' }], now),
    );
    await expect(draft).rejects.toMatchObject({ code: '23503' });
  });

  it('reject an entry of a transfer that does not exist', async () => {
    const accounts = await home.database.tx((tx) => lockAccounts(tx, accountsOf([charge])));
    const fresh = [{ ...charge, transferId: '01900000-0000-7000-8000-000000000001' as TransferId }];
    const entered = home.database.tx((tx) => enterTransfers(tx, { fresh, accounts }, now));
    await expect(entered).rejects.toMatchObject({ code: '23503' });
  });

  it('reject deleting, truncating and renaming accounts', async () => {
    for (const text of ['DELETE FROM account', 'TRUNCATE account', `UPDATE account SET account_key = account_key`]) {
      await expect(home.database.pool.query(text)).rejects.toThrow('append-only');
    }
  });
});

describe('draftTransfers and enterTransfers', () => {
  it('store transfers, entries and holds of one transaction together', async () => {
    await home.database.tx(async (tx) => {
      const { fresh } = await draftTransfers(tx, [charge], now);
      const accounts = await lockAccounts(tx, accountsOf([charge]));
      enterTransfers(tx, { fresh, accounts, holds: new Map([['summit', 700]]) }, now);
    });
    const states = await select(
      home.database,
      `SELECT account_key AS key, balance_cents AS balance, held_cents AS held, version FROM account WHERE version > 0 ORDER BY 1`,
    );
    expect(states).toEqual([
      { key: 'buyer:summit', balance: -4500, held: 700, version: 1 },
      { key: 'revenue:summit', balance: 4500, held: 0, version: 1 },
    ]);
    expect((await checkLedger(home.database)).faults).toEqual([]);
  });

  it('leave a fault for checkLedger if a draft is never entered', async () => {
    const draft = async (): Promise<unknown> =>
      home.database.tx(async (tx) => {
        await draftTransfers(tx, [{ ...charge, businessKey: 'sale:2' }], now);
        const { faults } = await checkLedger(tx);
        expect(faults).toEqual(['1 transfers without exactly two opposite entries']);
        throw new Error('rolled back');
      });
    await expect(draft()).rejects.toThrow('rolled back');
  });
});
