import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../src/base/ids.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { statement } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
  await home.database.tx(async (tx) => {
    await openAccounts(tx, ['summit', 'rival']);
    const facts = { type: 'charge', description: '' } as const;
    await postTransfers(
      tx,
      [
        { ...facts, businessKey: 'a', buyerKey: 'summit', amountCents: 4500 },
        { ...facts, businessKey: 'b', buyerKey: 'summit', amountCents: 100 },
        { ...facts, businessKey: 'c', buyerKey: 'rival', amountCents: 7 },
      ],
      now,
    );
  });
});
afterAll(() => home.drop());

class RolledBack extends Error {}

/** Runs the check after `damage` and rolls back. The owner of a table can bypass its triggers: the check covers such cases. */
async function checkAfter(...damage: string[]): Promise<unknown> {
  let check: unknown = null;
  const run = home.database.tx(async (tx) => {
    for (const [index, text] of damage.entries()) await tx.query(named(`${index}`, text));
    check = await checkLedger(tx);
    throw new RolledBack();
  });
  await expect(run).rejects.toThrow(RolledBack);
  return check;
}

function named(name: string, text: string) {
  return statement(`test.damage-${name}-${newUuid()}`, text);
}

const unlocked = ['ALTER TABLE entry DISABLE TRIGGER USER', 'ALTER TABLE transfer DISABLE TRIGGER USER'];

describe('checkLedger of a consistent ledger', () => {
  it('returns the counts and a difference of 0', async () => {
    expect(await checkAfter()).toEqual({ ok: true, accounts: 10, entries: 6, difference: 0, faults: [] });
  });
});

describe('checkLedger of a damaged ledger', () => {
  it('reports a balance that differs from the sum of its entries', async () => {
    expect(
      await checkAfter(`UPDATE account SET balance_cents = balance_cents + 25 WHERE account_key = 'cash:summit'`),
    ).toEqual({
      ok: false,
      accounts: 10,
      entries: 6,
      difference: 0.25,
      faults: ['1 accounts whose balance is not the sum of their entries', '1 difference between balances and entries'],
    });
  });

  it('reports two wrong balances that cancel each other out', async () => {
    const check = await checkAfter(
      `UPDATE account SET balance_cents = balance_cents + 25 WHERE account_key = 'cash:summit'`,
      `UPDATE account SET balance_cents = balance_cents - 25 WHERE account_key = 'cash:rival'`,
    );
    expect(check).toMatchObject({ ok: false, difference: 0.5 });
  });

  it('reports an entry that was changed', async () => {
    const check = await checkAfter(
      ...unlocked,
      `UPDATE entry SET amount_cents = amount_cents + 1 WHERE account_key = 'buyer:rival'`,
    );
    expect(check).toMatchObject({ ok: false, difference: 0.02 });
  });

  it('reports a transfer without entries', async () => {
    const check = await checkAfter(
      `INSERT INTO transfer (transfer_id, business_key, type, from_account, to_account, amount_cents, description, created_at)
       VALUES ('${newUuid()}', 'd', 'charge', 'buyer:summit', 'revenue:summit', 1, '', '2026-11-20')`,
    );
    expect(check).toMatchObject({ ok: false, faults: ['1 transfers without exactly two opposite entries'] });
  });

  it('reports entries on another account than the transfer names', async () => {
    const check = await checkAfter(
      ...unlocked,
      `UPDATE transfer SET to_account = 'cash:rival' WHERE business_key = 'c'`,
    );
    expect(check).toMatchObject({ ok: false, faults: ['1 transfers without exactly two opposite entries'] });
  });

  it('reports a gap in the history of an account', async () => {
    const check = await checkAfter(
      ...unlocked,
      `UPDATE entry SET account_version = 3 WHERE account_key = 'buyer:summit' AND account_version = 2`,
    );
    expect(check).toMatchObject({
      ok: false,
      difference: 0,
      faults: ['1 accounts with a gap or a wrong balance in their history'],
    });
  });

  it('reports a balance in the history that does not follow from the previous one', async () => {
    const check = await checkAfter(
      ...unlocked,
      `UPDATE entry SET balance_after_cents = 0 WHERE account_key = 'buyer:summit' AND account_version = 1`,
    );
    expect(check).toMatchObject({
      ok: false,
      difference: 0,
      faults: ['1 accounts with a gap or a wrong balance in their history'],
    });
  });

  it('reports an account whose version differs from its number of entries', async () => {
    const check = await checkAfter(`UPDATE account SET version = 9 WHERE account_key = 'buyer:summit'`);
    expect(check).toMatchObject({ ok: false, faults: ['1 accounts with a gap or a wrong balance in their history'] });
  });

  it('reports entries of an account that does not exist', async () => {
    const check = await checkAfter(
      ...unlocked,
      `UPDATE entry SET account_key = 'buyer:ghost' WHERE account_key = 'buyer:rival'`,
    );
    expect(check).toMatchObject({ ok: false, difference: 0.14 });
  });

  it('reports a negative held amount', async () => {
    const check = await checkAfter(
      'ALTER TABLE account DROP CONSTRAINT account_held_cents_check',
      `UPDATE account SET held_cents = -1 WHERE account_key = 'buyer:rival'`,
    );
    expect(check).toMatchObject({ ok: false, faults: ['1 accounts that hold less than nothing'] });
  });
});
