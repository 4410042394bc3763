import { describe, expect, it } from 'vitest';

import { type AccountFacts, availableCents, ordered } from './account-order.rules.ts';

describe('availableCents', () => {
  it.each([
    ['is the balance', { balanceCents: 500, heldCents: 0, creditLimitCents: 0 }, 500],
    ['includes the credit limit', { balanceCents: -100, heldCents: 0, creditLimitCents: 1000 }, 900],
    ['excludes holds', { balanceCents: 500, heldCents: 450, creditLimitCents: 0 }, 50],
    ['is negative if holds exceed the balance', { balanceCents: 0, heldCents: 50, creditLimitCents: 0 }, -50],
    ['is null without a limit', { balanceCents: -900_000, heldCents: 50, creditLimitCents: null }, null],
  ])('%s', (_what, funds, cents) => {
    expect(availableCents(funds)).toBe(cents);
  });
});

describe('ordered', () => {
  const account = (name: string, balanceCents: number, creditLimitCents: number | null): AccountFacts => {
    const funds = { balanceCents, heldCents: 0, creditLimitCents };
    return { name, ...funds, availableCents: availableCents(funds) };
  };
  const accounts = [
    account('Cedar', -100, 1000),
    account('Amber', -5000, null),
    account('Birch', 200, 0),
    account('Dune', -800, 1000),
  ];
  it.each([
    ['name', 'Amber Birch Cedar Dune'],
    ['balance', 'Amber Dune Cedar Birch'],
    ['available', 'Birch Dune Cedar Amber'],
  ] as const)('sorts by %s', (order, names) => {
    expect(
      ordered(accounts, order)
        .map(({ name }) => name)
        .join(' '),
    ).toBe(names);
  });
  it('sorts ties by name', () => {
    const equal = [account('b', 0, 0), account('a', 0, 0)];
    expect(ordered(equal, 'balance').map(({ name }) => name)).toEqual(['a', 'b']);
    expect(ordered(equal, 'available').map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
