import {
  array,
  assert as holds,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  record,
  constant,
} from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { holdFunds, lockFunds, releaseFunds } from '../../src/ledger/funds.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import type { TransferInput, TransferType } from '../../src/ledger/transfer.rules.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

type Step =
  | { readonly kind: 'post'; readonly transfers: readonly Draft[]; readonly isRolledBack: boolean }
  | { readonly kind: 'hold'; readonly buyer: number; readonly amount: number };
type Draft = { readonly key: number; readonly type: TransferType; readonly buyer: number; readonly amount: number };

/** The oracle: one number per buyer and the set of posted keys. It shares no code with the ledger. */
function createModel() {
  const balances = new Map<string, number>();
  const posted = new Set<string>();
  return {
    balanceOf: (buyerKey: string): number => balances.get(buyerKey) ?? 0,
    post({ businessKey, buyerKey, type, amountCents }: TransferInput): void {
      if (posted.has(businessKey)) return;
      posted.add(businessKey);
      const sign = type === 'charge' ? -1 : 1;
      balances.set(buyerKey, (balances.get(buyerKey) ?? 0) + sign * amountCents);
    },
  };
}

const buyers = ['a', 'a-b', 'ab', 'b'];
let run = 0;

const draft = oneof(
  record({
    key: integer({ min: 0, max: 25 }),
    type: constantFrom<TransferType>('charge', 'credit', 'payment'),
    buyer: integer({ min: 0, max: 3 }),
    amount: integer({ min: 1, max: 100_000 }),
  }),
  record({
    key: integer({ min: 0, max: 25 }),
    type: constant<TransferType>('adjustment'),
    buyer: integer({ min: 0, max: 3 }),
    amount: integer({ min: -100_000, max: 100_000 }).filter((amount) => amount !== 0),
  }),
);
const step = oneof(
  {
    weight: 4,
    arbitrary: record({
      kind: constant('post' as const),
      transfers: array(draft, { maxLength: 12 }),
      isRolledBack: boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      kind: constant('hold' as const),
      buyer: integer({ min: 0, max: 3 }),
      amount: integer({ min: 0, max: 500 }),
    }),
  },
);

class RolledBack extends Error {}

/** A key always means the same transfer, as in production: a repeat has the same content. */
function transferOf(
  { key, type, buyer, amount }: Draft,
  byKey: Map<number, TransferInput>,
  prefix: string,
): TransferInput {
  const buyerKey = prefix + (buyers[buyer] ?? '');
  const transfer = { businessKey: `${prefix}${key}`, type, buyerKey, amountCents: amount, description: '' };
  const before = byKey.get(key) ?? transfer;
  byKey.set(key, before);
  return before;
}

async function perform(one: Step, transfers: readonly TransferInput[], prefix: string): Promise<void> {
  if (one.kind === 'hold') {
    const amounts = new Map([[prefix + (buyers[one.buyer] ?? ''), one.amount]]);
    await home.database.tx((tx) => holdFunds(tx, amounts));
    await home.database.tx((tx) => releaseFunds(tx, amounts));
    return;
  }
  const work = home.database.tx(async (tx) => {
    await postTransfers(tx, transfers, now);
    if (one.isRolledBack) throw new RolledBack();
  });
  if (one.isRolledBack) await expect(work).rejects.toThrow(RolledBack);
  else await work;
}

describe('Ledger', () => {
  it('agrees with a model of one number per buyer after repeated, concurrent and rolled back postings', async () => {
    await holds(
      asyncProperty(
        array(step, { minLength: 1, maxLength: 20 }),
        integer({ min: 1, max: 8 }),
        async (steps, callers) => {
          run += 1;
          const prefix = `r${run}-`;
          const keys = buyers.map((buyer) => prefix + buyer);
          await home.database.tx((tx) => openAccounts(tx, keys));
          const byKey = new Map<number, TransferInput>();
          const model = createModel();
          const work = steps.map((one) => {
            const transfers = one.kind === 'post' ? one.transfers.map((item) => transferOf(item, byKey, prefix)) : [];
            if (one.kind === 'post' && !one.isRolledBack) for (const transfer of transfers) model.post(transfer);
            return () => perform(one, transfers, prefix);
          });
          const caller = async (): Promise<void> => {
            for (let next = work.shift(); next !== undefined; next = work.shift()) await next();
          };
          await Promise.all(Array.from({ length: callers }, caller));

          const funds = await home.database.tx((tx) => lockFunds(tx, keys));
          for (const key of keys) {
            expect(funds.get(key)).toEqual({ balanceCents: model.balanceOf(key), heldCents: 0 });
          }
          expect(await home.database.tx(checkLedger)).toMatchObject({ ok: true, difference: 0, faults: [] });
        },
      ),
      { numRuns: 60 },
    );
  });
});
