import { array, assert as holds, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  type AccountState,
  accountKey,
  accountKinds,
  faultOf,
  moveOf,
  type NewTransfer,
  planEntries,
  type TransferInput,
} from './transfer.rules.ts';

const charge: TransferInput = {
  businessKey: 'sale:1',
  type: 'charge',
  buyerKey: 'summit',
  amountCents: 4500,
  description: 'Sale',
};

function accountsOf(...buyerKeys: string[]): Map<string, AccountState> {
  const state = { balanceCents: 0, heldCents: 0, version: 0 };
  return new Map(buyerKeys.flatMap((key) => accountKinds.map((kind) => [accountKey(kind, key), state] as const)));
}

describe('Money moves', () => {
  test.each([
    ['from the buyer to revenue by a charge', 'charge', 4500, 'buyer:summit', 'revenue:summit'],
    ['from revenue to the buyer by a credit', 'credit', 4500, 'revenue:summit', 'buyer:summit'],
    ['from cash to the buyer by a payment', 'payment', 4500, 'cash:summit', 'buyer:summit'],
    ['to the buyer by an adjustment', 'adjustment', 4500, 'adjustment:summit', 'buyer:summit'],
    ['from the buyer by a negative adjustment', 'adjustment', -4500, 'buyer:summit', 'adjustment:summit'],
  ] as const)('%s', (_case, type, amountCents, fromAccount, toAccount) => {
    expect(moveOf({ ...charge, type, amountCents })).toEqual({ fromAccount, toAccount, amountCents: 4500 });
  });
});

describe('No transfer', () => {
  test.each<[string, Partial<TransferInput>, RegExp]>([
    ['is without a business key', { businessKey: '' }, /no business key/],
    ['has a fraction of a cent', { amountCents: 0.5 }, /no number of cents/],
    ['has an amount that is no number', { amountCents: Number.NaN }, /no number of cents/],
    ['is larger than a number can say', { amountCents: 2 ** 53 }, /no number of cents/],
    ['is a negative charge', { amountCents: -1 }, /no charge can be/],
    ['is a negative credit', { type: 'credit', amountCents: -1 }, /no credit can be/],
    ['is a negative payment', { type: 'payment', amountCents: -1 }, /no payment can be/],
    ['releases less than nothing', { releaseHeldCents: -1 }, /releases no number of cents/],
    ['releases and moves nothing', { amountCents: 0, releaseHeldCents: 5 }, /moves none/],
  ])('%s', (_case, part, words) => {
    expect(faultOf({ ...charge, ...part })).toMatch(words);
  });
});

test('A transfer of nothing, a negative adjustment and a release with a charge are in order.', () => {
  expect(faultOf({ ...charge, amountCents: 0 })).toBeNull();
  expect(faultOf({ ...charge, type: 'adjustment', amountCents: -1 })).toBeNull();
  expect(faultOf({ ...charge, releaseHeldCents: 4500 })).toBeNull();
});

test('Each account keeps a history that counts on and explains its own balance.', () => {
  const accounts = accountsOf('summit').set('buyer:summit', { balanceCents: 1000, heldCents: 4500, version: 7 });
  const plan = planEntries(
    [
      { ...charge, transferId: 'a', releaseHeldCents: 4500 },
      { ...charge, transferId: 'b', type: 'payment', amountCents: 250, businessKey: 'pay:1' },
    ],
    accounts,
  );
  expect(plan.entries).toEqual([
    { transferId: 'a', accountKey: 'buyer:summit', accountVersion: 8, amountCents: -4500, balanceAfterCents: -3500 },
    { transferId: 'a', accountKey: 'revenue:summit', accountVersion: 1, amountCents: 4500, balanceAfterCents: 4500 },
    { transferId: 'b', accountKey: 'cash:summit', accountVersion: 1, amountCents: -250, balanceAfterCents: -250 },
    { transferId: 'b', accountKey: 'buyer:summit', accountVersion: 9, amountCents: 250, balanceAfterCents: -3250 },
  ]);
  expect(plan.accounts.get('buyer:summit')).toEqual({ balanceCents: -3250, heldCents: 0, version: 9 });
  expect([...plan.accounts.keys()]).not.toContain('adjustment:summit');
});

test('A release beyond what is held and an account that is not open stop the plan.', () => {
  const transfer = { ...charge, transferId: 'a', releaseHeldCents: 1 };
  expect(() => planEntries([transfer], accountsOf('summit'))).toThrow('more is released on buyer:summit than is held');
  expect(() => planEntries([transfer], accountsOf('rival'))).toThrow('the account buyer:summit is not open');
});

test('Whatever is posted, the entries of all accounts sum to nothing and those of each to its balance.', () => {
  const transfers = array(
    record({
      type: constantFrom('charge' as const, 'credit' as const, 'payment' as const, 'adjustment' as const),
      buyerKey: constantFrom('a', 'b', 'c'),
      amountCents: integer({ min: 1, max: 1_000_000_000 }),
    }),
  );
  holds(
    property(transfers, (parts) => {
      const all = parts.map((part, index): NewTransfer => {
        return { ...part, businessKey: `key:${index}`, description: '', transferId: `id:${index}` };
      });
      const { entries, accounts } = planEntries(all, accountsOf('a', 'b', 'c'));
      expect(entries).toHaveLength(2 * all.length);
      expect(entries.reduce((sum, entry) => sum + entry.amountCents, 0)).toBe(0);
      for (const [key, { balanceCents, version }] of accounts) {
        const own = entries.filter((entry) => entry.accountKey === key);
        expect(own.reduce((sum, entry) => sum + entry.amountCents, 0)).toBe(balanceCents);
        expect(own.map((entry) => entry.accountVersion)).toEqual(own.map((_entry, index) => index + 1));
        expect(own.at(-1)?.accountVersion).toBe(version);
      }
    }),
  );
});

test('What is promised besides comes on top of what is held, and moves no money.', () => {
  const accounts = accountsOf('summit', 'other').set('buyer:other', { balanceCents: 50, heldCents: 100, version: 3 });
  const promised = new Map([
    ['summit', 0],
    ['other', 250],
  ]);
  const plan = planEntries([{ ...charge, transferId: 'a' }], accounts, promised);
  expect(plan.entries).toHaveLength(2);
  expect(plan.accounts.get('buyer:summit')).toEqual({ balanceCents: -4500, heldCents: 0, version: 1 });
  expect(plan.accounts.get('buyer:other')).toEqual({ balanceCents: 50, heldCents: 350, version: 3 });
  expect(() => planEntries([], accounts, new Map([['summit', -1]]))).toThrow('no number of cents');
  expect(() => planEntries([], accounts, new Map([['nobody', 1]]))).toThrow('not open');
});
