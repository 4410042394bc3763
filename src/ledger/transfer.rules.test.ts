import type { TransferId } from '../base/ids.ts';
import { array, assert as holds, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  type AccountState,
  accountKey,
  accountKinds,
  transferError,
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

describe('moveOf', () => {
  it.each([
    ['debits the buyer and credits revenue for a charge', 'charge', 4500, 'buyer:summit', 'revenue:summit'],
    ['debits revenue and credits the buyer for a credit', 'credit', 4500, 'revenue:summit', 'buyer:summit'],
    ['debits cash and credits the buyer for a payment', 'payment', 4500, 'cash:summit', 'buyer:summit'],
    ['credits the buyer for an adjustment', 'adjustment', 4500, 'adjustment:summit', 'buyer:summit'],
    ['debits the buyer for a negative adjustment', 'adjustment', -4500, 'buyer:summit', 'adjustment:summit'],
  ] as const)('%s', (_case, type, amountCents, fromAccount, toAccount) => {
    expect(moveOf({ ...charge, type, amountCents })).toEqual({ fromAccount, toAccount, amountCents: 4500 });
  });
});

describe('transferError of an invalid transfer', () => {
  it.each<[string, Partial<TransferInput>, RegExp]>([
    ['an empty business key', { businessKey: '' }, /business key is empty/],
    ['a fraction of a cent', { amountCents: 0.5 }, /not a whole number of cents/],
    ['an amount that is not a number', { amountCents: Number.NaN }, /not a whole number of cents/],
    ['an amount beyond the safe integers', { amountCents: 2 ** 53 }, /not a whole number of cents/],
    ['a negative charge', { amountCents: -1 }, /a charge cannot have a negative amount/],
    ['a negative credit', { type: 'credit', amountCents: -1 }, /a credit cannot have a negative amount/],
    ['a negative payment', { type: 'payment', amountCents: -1 }, /a payment cannot have a negative amount/],
    ['a negative release', { releaseHeldCents: -1 }, /released amount is not a whole number of cents/],
    ['a release without money', { amountCents: 0, releaseHeldCents: 5 }, /moves no money/],
  ])('rejects %s', (_case, part, words) => {
    expect(transferError({ ...charge, ...part })).toMatch(words);
  });
});

describe('transferError', () => {
  it('accepts an amount of 0, a negative adjustment and a release with a charge', () => {
    expect(transferError({ ...charge, amountCents: 0 })).toBeNull();
    expect(transferError({ ...charge, type: 'adjustment', amountCents: -1 })).toBeNull();
    expect(transferError({ ...charge, releaseHeldCents: 4500 })).toBeNull();
  });
});

describe('planEntries', () => {
  it('numbers the entries of each account and carries its balance forward', () => {
    const accounts = accountsOf('summit').set('buyer:summit', { balanceCents: 1000, heldCents: 4500, version: 7 });
    const plan = planEntries(
      [
        { ...charge, transferId: 'a' as TransferId, releaseHeldCents: 4500 },
        { ...charge, transferId: 'b' as TransferId, type: 'payment', amountCents: 250, businessKey: 'pay:1' },
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

  it('throws for a release of more than is held and for an account that is not open', () => {
    const transfer = { ...charge, transferId: 'a' as TransferId, releaseHeldCents: 1 };
    expect(() => planEntries([transfer], accountsOf('summit'))).toThrow(
      'more is released on buyer:summit than is held',
    );
    expect(() => planEntries([transfer], accountsOf('rival'))).toThrow('the account buyer:summit is not open');
  });

  it('plans entries that sum to 0 over all accounts and to the balance of each account', () => {
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
          return { ...part, businessKey: `key:${index}`, description: '', transferId: `id:${index}` as TransferId };
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

  it('adds holds to the held amount and moves no money', () => {
    const accounts = accountsOf('summit', 'other').set('buyer:other', { balanceCents: 50, heldCents: 100, version: 3 });
    const promised = new Map([
      ['summit', 0],
      ['other', 250],
    ]);
    const plan = planEntries([{ ...charge, transferId: 'a' as TransferId }], accounts, promised);
    expect(plan.entries).toHaveLength(2);
    expect(plan.accounts.get('buyer:summit')).toEqual({ balanceCents: -4500, heldCents: 0, version: 1 });
    expect(plan.accounts.get('buyer:other')).toEqual({ balanceCents: 50, heldCents: 350, version: 3 });
    expect(() => planEntries([], accounts, new Map([['summit', -1]]))).toThrow('not a whole number of cents');
    expect(() => planEntries([], accounts, new Map([['nobody', 1]]))).toThrow('not open');
  });
});
