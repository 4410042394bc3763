import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../src/platform/database/database.ts';
import { newUuid } from '../../src/base/ids.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { holdFunds, lockFunds, releaseFunds } from '../../src/ledger/funds.ts';
import { listEntries, readDeliveryEntries } from '../../src/ledger/entries.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import { postByHand } from '../../src/ledger/post-by-hand.ts';
import { type Posted, postTransfers } from '../../src/ledger/post-transfers.ts';
import type { TransferInput, Funds } from '../../src/ledger/transfer.rules.ts';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { listAudit } from '../../src/audit/read-audit.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
let home: TestDatabase;
/** A new partner for each test. */
let buyerKey: string;
let count = 0;

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());
beforeEach(async () => {
  count += 1;
  buyerKey = `buyer-${count}`;
  await home.database.tx((tx) => openAccounts(tx, [buyerKey]));
});

function sale(facts: Partial<TransferInput> = {}): TransferInput {
  const businessKey = `sale:${newUuid()}`;
  return { businessKey, type: 'charge', buyerKey, amountCents: 4500, description: 'Lead Sale LS-100042', ...facts };
}

function post(...transfers: TransferInput[]): Promise<Map<string, Posted>> {
  return home.database.tx((tx) => postTransfers(tx, transfers, now));
}

async function fundsOf(key: string = buyerKey): Promise<Funds | undefined> {
  return (await home.database.tx((tx) => lockFunds(tx, [key]))).get(key);
}

async function countRows(text: string): Promise<number> {
  const { rows } = await home.database.pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${text}`);
  return Number(rows[0]?.n);
}

describe('Accounts', () => {
  it('exist five times per buyer, and opening them again changes nothing', async () => {
    await post(sale());
    await home.database.tx((tx) => openAccounts(tx, [buyerKey, `${buyerKey}-other`, buyerKey]));
    expect(await countRows(`account WHERE buyer_key = '${buyerKey}'`)).toBe(5);
    expect(await countRows(`account WHERE buyer_key = '${buyerKey}-other'`)).toBe(5);
    expect(await fundsOf()).toEqual({ balanceCents: -4500, heldCents: 0 });
  });

  it('that are not open are missing from the locked funds', async () => {
    const funds = await home.database.tx((tx) => lockFunds(tx, ['nobody', buyerKey, buyerKey]));
    expect([...funds]).toEqual([[buyerKey, { balanceCents: 0, heldCents: 0 }]]);
  });
});

describe('postTransfers', () => {
  it('returns each transfer as the buyer will read it', async () => {
    const deliveryId = newUuid();
    const returnId = newUuid();
    const charge = sale({ deliveryId });
    const credit = sale({ type: 'credit', deliveryId, returnId, businessKey: `credit:${returnId}` });
    const posted = await post(
      sale({ type: 'payment', amountCents: 10_000, businessKey: `pay:${count}` }),
      charge,
      credit,
    );
    const common = {
      buyerKey,
      deliveryId,
      disputeId: null,
      invoiceId: null,
      description: charge.description,
      createdAt: now,
    };
    expect([...posted.values()].map(({ balanceAfterCents }) => balanceAfterCents)).toEqual([10_000, 5500, 10_000]);
    expect(posted.get(charge.businessKey)).toEqual({
      ...common,
      transferId: posted.get(charge.businessKey)?.transferId,
      businessKey: charge.businessKey,
      type: 'charge',
      amountCents: -4500,
      balanceAfterCents: 5500,
      returnId: null,
      isNew: true,
    });
    const entries = await home.database.tx((tx) => readDeliveryEntries(tx, deliveryId));
    expect(entries.map((entry) => ({ ...entry, isNew: true }))).toEqual([
      posted.get(charge.businessKey),
      posted.get(credit.businessKey),
    ]);
  });

  it('moves nothing for a repeated key and returns the transfer as it was posted', async () => {
    const charge = sale();
    const first = (await post(charge)).get(charge.businessKey);
    const again = await post(sale({ amountCents: 100 }), { ...charge, amountCents: 1, description: 'other' }, charge);
    expect(again.get(charge.businessKey)).toEqual({ ...first, isNew: false });
    expect(again.size).toBe(2);
    expect(await fundsOf()).toEqual({ balanceCents: -4600, heldCents: 0 });
  });

  it('posts one charge and releases its hold once for twenty concurrent callers', async () => {
    await home.database.tx((tx) => holdFunds(tx, new Map([[buyerKey, 9000]])));
    const charge = sale({ releaseHeldCents: 4500 });
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(sale({ amountCents: 1 }), charge)));
    const posted = responses.map((response) => response.get(charge.businessKey));
    expect(posted.filter((response) => response?.isNew === true)).toHaveLength(1);
    expect(new Set(posted.map((response) => response?.transferId)).size).toBe(1);
    expect(await fundsOf()).toEqual({ balanceCents: -4500 - 20, heldCents: 4500 });
  });

  it('stores nothing for an empty list or an amount of 0', async () => {
    const before = await countRows('transfer');
    expect(await post()).toEqual(new Map());
    expect(await post(sale({ amountCents: 0 }))).toEqual(new Map());
    expect(await countRows('transfer')).toBe(before);
  });

  it('runs as many statements for 500 transfers of 50 buyers as for one', async () => {
    const buyers = Array.from({ length: 50 }, (_item, index) => `batch-${index}`);
    await home.database.tx((tx) => openAccounts(tx, buyers));
    const transfers = Array.from({ length: 500 }, (_item, index) => sale({ buyerKey: buyers[index % 50] ?? '' }));
    const statements = async (batch: readonly TransferInput[]): Promise<number> =>
      home.database.tx(async (tx) => {
        let calls = 0;
        const counting: Tx = {
          query: (statement, ...params) => {
            calls += 1;
            return tx.query(statement, ...params);
          },
        };
        await postTransfers(counting, batch, now);
        return calls;
      });
    expect(await statements([sale()])).toBe(3);
    expect(await statements(transfers)).toBe(3);
    expect(await statements(transfers)).toBe(3);
    expect(await statements([...transfers.slice(0, 10), sale()])).toBe(4);
    expect(await fundsOf('batch-7')).toEqual({ balanceCents: -45_000, heldCents: 0 });
  });

  it('fails the whole transaction for an invalid transfer', async () => {
    const before = await countRows('transfer');
    await expect(post(sale(), sale({ amountCents: -1 }))).rejects.toThrow('a charge cannot have a negative amount');
    await expect(post(sale(), sale({ buyerKey: 'nobody' }))).rejects.toThrow('not open');
    await expect(post(sale(), sale({ releaseHeldCents: 1 }))).rejects.toThrow('more is released');
    expect(await countRows('transfer')).toBe(before);
    expect(await fundsOf()).toEqual({ balanceCents: 0, heldCents: 0 });
  });
});

describe('Holds', () => {
  it('of concurrent transactions add up, and none can be released twice', async () => {
    const other = `${buyerKey}-other`;
    await home.database.tx((tx) => openAccounts(tx, [other]));
    const amounts = [
      new Map([
        [buyerKey, 100],
        [other, 1],
      ]),
      new Map([
        [other, 1],
        [buyerKey, 100],
      ]),
    ];
    await Promise.all(
      Array.from({ length: 20 }, (_item, index) =>
        home.database.tx((tx) => holdFunds(tx, amounts[index % 2] ?? new Map())),
      ),
    );
    expect([await fundsOf(), await fundsOf(other)]).toEqual([
      { balanceCents: 0, heldCents: 2000 },
      { balanceCents: 0, heldCents: 20 },
    ]);
    await home.database.tx((tx) => releaseFunds(tx, new Map([[buyerKey, 2000]])));
    await expect(home.database.tx((tx) => releaseFunds(tx, new Map([[buyerKey, 1]])))).rejects.toThrow('held_cents');
    await expect(home.database.tx((tx) => holdFunds(tx, new Map([['nobody', 1]])))).rejects.toThrow('no account');
    await expect(home.database.tx((tx) => holdFunds(tx, new Map([[buyerKey, -1]])))).rejects.toThrow(
      'not a whole number of cents',
    );
    await home.database.tx((tx) => holdFunds(tx, new Map([['nobody', 0]])));
  });

  it('decided under the lock never exceed the available funds', async () => {
    await post(sale({ type: 'payment', amountCents: 10_000, businessKey: `pay:${buyerKey}` }));
    const tryToHold = (): Promise<boolean> =>
      home.database.tx(async (tx) => {
        const funds = (await lockFunds(tx, [buyerKey])).get(buyerKey);
        const isEnough = funds !== undefined && funds.balanceCents - funds.heldCents >= 3000;
        if (isEnough) await holdFunds(tx, new Map([[buyerKey, 3000]]));
        return isEnough;
      });
    const granted = await Promise.all(Array.from({ length: 12 }, tryToHold));
    expect(granted.filter(Boolean)).toHaveLength(3);
  });

  it('and postings of every type wait for each other without a deadlock', async () => {
    const keys = [buyerKey, `${buyerKey}-a`, `${buyerKey}b`];
    await home.database.tx((tx) => openAccounts(tx, keys));
    const kinds = ['charge', 'credit', 'payment', 'adjustment'] as const;
    const work = (index: number): Promise<unknown> =>
      home.database.tx(async (tx) => {
        const order = index % 2 === 0 ? keys : keys.toReversed();
        if (index % 3 === 0) await lockFunds(tx, order);
        return postTransfers(
          tx,
          order.map((key, at) => sale({ buyerKey: key, type: kinds[(index + at) % 4] ?? 'charge' })),
          now,
        );
      });
    await Promise.all(Array.from({ length: 40 }, (_item, index) => work(index)));
    expect((await home.database.tx(checkLedger)).ok).toBe(true);
  });
});

describe('postByHand', () => {
  const posting = (facts: object = {}) => ({
    buyerKey,
    type: 'payment' as const,
    amountCents: 10_000,
    description: 'Wire transfer',
    idempotencyKey: `by-hand-${buyerKey}`,
    actor: commandLineActor,
    ...facts,
  });

  it('changes the balance and writes an audit event once per idempotency key', async () => {
    const first = await home.database.tx((tx) => postByHand(tx, posting(), now));
    const again = await home.database.tx((tx) => postByHand(tx, posting(), now));
    expect(first).toMatchObject({ ok: true, value: { amountCents: 10_000, balanceAfterCents: 10_000, isNew: true } });
    expect(again).toMatchObject({ ok: true, value: { balanceAfterCents: 10_000, isNew: false } });
    const [event, ...others] = await home.database.tx((tx) => listAudit(tx, buyerKey, 10));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ action: 'payment.posted', changes: { currentBalance: { from: 0, to: 100 } } });
  });

  it('posts on every call without an idempotency key', async () => {
    await home.database.tx((tx) => postByHand(tx, posting({ idempotencyKey: null }), now));
    await home.database.tx((tx) => postByHand(tx, posting({ idempotencyKey: null }), now));
    expect(await fundsOf()).toEqual({ balanceCents: 20_000, heldCents: 0 });
  });

  it('rejects an unknown partner and another posting under the same key', async () => {
    await home.database.tx((tx) => postByHand(tx, posting(), now));
    await home.database.tx((tx) => openAccounts(tx, [`${buyerKey}-other`]));
    for (const facts of [
      { amountCents: 1 },
      { type: 'credit' },
      { description: 'x' },
      { buyerKey: `${buyerKey}-other` },
    ]) {
      const outcome = await home.database.tx((tx) => postByHand(tx, posting(facts), now));
      expect(outcome).toEqual({ ok: false, code: 'idempotency_key_reused' });
    }
    const unknown = await home.database.tx((tx) => postByHand(tx, posting({ buyerKey: 'nobody' }), now));
    expect(unknown).toEqual({ ok: false, code: 'partner_not_found' });
  });
});

describe('listEntries', () => {
  const page = (number: number, pageSize: number) =>
    home.database.tx((tx) => listEntries(tx, buyerKey, { page: number, pageSize }), { snapshot: true });

  it('returns the newest entries first, with the matching balance and total', async () => {
    const charges = Array.from({ length: 7 }, () => sale({ amountCents: 100 }));
    for (const charge of charges) await post(charge);
    await home.database.tx((tx) => holdFunds(tx, new Map([[buyerKey, 50]])));
    const first = await page(1, 3);
    expect([first.balanceCents, first.heldCents, first.total]).toEqual([-700, 50, 7]);
    expect(first.entries.map(({ balanceAfterCents }) => balanceAfterCents)).toEqual([-700, -600, -500]);
    const [newest] = first.entries;
    expect(newest).toEqual({
      ...newest,
      businessKey: charges.at(-1)?.businessKey,
      buyerKey,
      type: 'charge',
      amountCents: -100,
      description: 'Lead Sale LS-100042',
      invoiceId: null,
      createdAt: now,
    });
    const rest = [...(await page(2, 3)).entries, ...(await page(3, 3)).entries];
    expect(rest.map(({ balanceAfterCents }) => balanceAfterCents)).toEqual([-400, -300, -200, -100]);
    expect(await page(4, 3)).toEqual({ balanceCents: -700, heldCents: 50, total: 7, entries: [] });
  });

  it('returns an empty page for a partner without accounts', async () => {
    const read = await home.database.tx((tx) => listEntries(tx, 'nobody', { page: 1, pageSize: 25 }));
    expect(read).toEqual({ balanceCents: 0, heldCents: 0, total: 0, entries: [] });
  });

  it('returns entries that agree with the balance during concurrent postings', async () => {
    let isPosting = true;
    const kinds = ['charge', 'credit', 'payment', 'adjustment'] as const;
    const posting = Promise.all(
      kinds.map(async (type) => {
        for (let index = 0; index < 25; index += 1) await post(sale({ type }), sale({ type, amountCents: 7 }));
      }),
    ).finally(() => (isPosting = false));
    const faults: unknown[] = [];
    while (isPosting) {
      const { balanceCents, total, entries } = await page(1, 200);
      const sum = entries.reduce((cents, { amountCents }) => cents + amountCents, 0);
      if (sum !== balanceCents || entries.length !== total) faults.push({ sum, balanceCents, total });
      if ((entries[0]?.balanceAfterCents ?? 0) !== balanceCents) faults.push(entries[0]);
    }
    await posting;
    expect(faults).toEqual([]);
    expect((await page(1, 1)).total).toBe(200);
  });
});

describe('Append-only tables', () => {
  it('reject changing or deleting transfers, entries and audit events', async () => {
    await home.database.tx((tx) =>
      postByHand(
        tx,
        {
          buyerKey,
          type: 'payment',
          amountCents: 1,
          description: 'Wire',
          idempotencyKey: null,
          actor: commandLineActor,
        },
        now,
      ),
    );
    const times = { transfer: 'created_at', entry: 'created_at', audit_event: 'at' };
    const texts = Object.entries(times).flatMap(([table, column]) => [
      `UPDATE ${table} SET ${column} = ${column}`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
    ]);
    for (const text of texts) await expect(home.database.pool.query(text)).rejects.toThrow('append-only');
  });
});
