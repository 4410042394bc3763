// Tests when offers pause for low funds and when they go on (contract 4.7).
import { describe, expect, it } from 'vitest';
import { defaultTerms } from './buyer-row.rules.ts';
import { changedPauses } from './funds-pause.rules.ts';

type Case = {
  readonly what: string;
  readonly below: number | null;
  readonly limit?: number | null;
  readonly balance: number;
  readonly held?: number;
  readonly was?: boolean;
  readonly becomes: boolean | null;
};

const CASES: readonly Case[] = [
  { what: 'pauses below the threshold', below: 10_000, balance: 9999, becomes: true },
  { what: 'does not pause at the threshold', below: 10_000, balance: 10_000, becomes: null },
  { what: 'goes on at the threshold', below: 10_000, balance: 10_000, was: true, becomes: false },
  { what: 'stays paused below it', below: 10_000, balance: 9999, was: true, becomes: null },
  { what: 'subtracts what is held', below: 10_000, balance: 10_000, held: 1, becomes: true },
  { what: 'adds the credit limit', below: 10_000, balance: -5000, limit: 15_000, becomes: null },
  { what: 'compares the balance itself without a limit', below: 10_000, balance: 9999, limit: null, becomes: true },
  { what: 'never pauses without a threshold', below: null, balance: -1, becomes: null },
  { what: 'goes on when the threshold is removed', below: null, balance: -1, was: true, becomes: false },
];

describe('changedPauses', () => {
  it.each(CASES)('$what', ({ below, limit = 0, balance, held = 0, was = false, becomes }) => {
    const buyer = {
      buyerKey: 'summit',
      billing: { ...defaultTerms, mode: 'prepaid', creditLimitCents: limit, pauseBelowCents: below } as const,
      fundsPausedAt: was ? new Date(0) : null,
    };
    const [change, ...others] = changedPauses(
      [buyer],
      new Map([['summit', { balanceCents: balance, heldCents: held }]]),
    );
    expect([change?.isPaused ?? null, others]).toEqual([becomes, []]);
  });

  it('takes a partner without an account for one with a balance of 0', () => {
    const buyer = {
      buyerKey: 'summit',
      billing: { ...defaultTerms, mode: 'prepaid', creditLimitCents: 0, pauseBelowCents: 1 } as const,
      fundsPausedAt: null,
    };
    expect(changedPauses([buyer], new Map())).toHaveLength(1);
  });
});
