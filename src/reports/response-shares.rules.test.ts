// Tests the sums of responses over the last days (contract 13.7).
import { describe, expect, it } from 'vitest';

import { responseShares } from './response-shares.rules.ts';

const NOW = new Date('2026-11-25T03:00:00.000Z');
const on = (day: string, responses: number, rejected: number, duplicates = 0) => ({
  offer: 'west',
  day,
  ...{ responses, rejected, duplicates },
});

describe('responseShares', () => {
  it('counts today, 7 and 30 days of the time zone, today among them', () => {
    // In New York it is still the 24th.
    const days = [
      on('2026-11-24', 4, 1),
      on('2026-11-18', 10, 2, 3),
      on('2026-11-17', 100, 50),
      on('2026-10-26', 1000, 0),
      on('2026-10-25', 9999, 9999),
    ];
    expect(responseShares(days, 'America/New_York', NOW)).toEqual({
      today: { responses: 4, rejected: 1, duplicates: 0, rejectedRate: 0.25, duplicateRate: 0 },
      last7Days: { responses: 14, rejected: 3, duplicates: 3, rejectedRate: 0.2143, duplicateRate: 0.2143 },
      last30Days: { responses: 1114, rejected: 53, duplicates: 3, rejectedRate: 0.0476, duplicateRate: 0.0027 },
    });
    expect(responseShares(days, 'UTC', NOW).today.responses).toBe(0);
  });

  it('has no rate without responses', () => {
    expect(responseShares([], 'UTC', NOW).last30Days).toEqual({
      ...{ responses: 0, rejected: 0, duplicates: 0, rejectedRate: null, duplicateRate: null },
    });
  });
});
