import { describe, expect, test } from 'vitest';

import { type AccountFacts, availableCents, ordered } from './account-order.rules.ts';

describe('A partner may spend', () => {
  test.each([
    ['its balance', { balanceCents: 500, heldCents: 0, creditLimitCents: 0 }, 500],
    ['and its credit', { balanceCents: -100, heldCents: 0, creditLimitCents: 1000 }, 900],
    ['but not what is promised', { balanceCents: 500, heldCents: 450, creditLimitCents: 0 }, 50],
    ['nothing where more is promised than there is', { balanceCents: 0, heldCents: 50, creditLimitCents: 0 }, -50],
    ['anything without a limit', { balanceCents: -900_000, heldCents: 50, creditLimitCents: null }, null],
  ])('%s', (_what, funds, cents) => {
    expect(availableCents(funds)).toBe(cents);
  });
});

describe('Accounts are shown', () => {
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
  test.each([
    ['name', 'Amber Birch Cedar Dune'],
    ['balance', 'Amber Dune Cedar Birch'],
    ['available', 'Birch Dune Cedar Amber'],
  ] as const)('by %s', (order, names) => {
    expect(
      ordered(accounts, order)
        .map(({ name }) => name)
        .join(' '),
    ).toBe(names);
  });
  test('with equal ones by name', () => {
    const equal = [account('b', 0, 0), account('a', 0, 0)];
    expect(ordered(equal, 'balance').map(({ name }) => name)).toEqual(['a', 'b']);
    expect(ordered(equal, 'available').map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
