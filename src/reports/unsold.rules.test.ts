import { describe, expect, it } from 'vitest';

import { countReasons } from './unsold.rules.ts';

describe('The reason of an unsold lead', () => {
  it('is the reason of the offer that passed most stages, with the best price among these', () => {
    const trace = (...left: unknown[]): string => JSON.stringify({ sold: [], left });
    const prices: Readonly<Record<string, number>> = { a: 1000, b: 4500, c: 5000 };
    expect(
      countReasons(
        [
          trace(),
          trace(['a', 'outside_schedule']),
          trace(['a', 'outside_schedule'], ['b', 'cap_reached', { window: 'daily', used: 5 }, 5]),
          trace(['a', 'budget_reached'], ['b', 'funds_missing', 600, 4500], ['c', 'funds_missing', 600, 5000]),
          trace(['gone', 'funds_missing', 0, 4500], ['b', 'outside_schedule']),
          trace(['a', 'duplicate']),
          trace(['a', 'endpoint_failing']),
          JSON.stringify({ sold: [], left: [], suppressedBy: 'dnc' }),
        ],
        (offerKey) => prices[offerKey] ?? 0,
      ),
    ).toEqual({
      no_match: { leads: 1, cents: 0 },
      schedule: { leads: 1, cents: 1000 },
      caps: { leads: 1, cents: 4500 },
      funds: { leads: 2, cents: 5000 },
      duplicates: { leads: 1, cents: 0 },
      endpoints: { leads: 1, cents: 1000 },
    });
  });
});
