import fc from 'fast-check';
import { expect, test } from 'vitest';

import { limitOf } from './cap-limit.rules.ts';

test.each([
  [{ count: 20 }, 0, 20],
  [{ count: 0 }, 1000, 0],
  [{ percent: 10 }, 0, 3],
  [{ percent: 10 }, 39, 3],
  [{ percent: 10 }, 40, 4],
  [{ percent: 10 }, 49, 4],
  [{ percent: 10 }, 50, 5],
  [{ percent: 12.5 }, 40, 5],
  [{ percent: 0 }, 1_000_000, 3],
  [{ percent: 100 }, 7, 7],
  [{ percent: 0.07 }, 10_000, 7],
  [{ percent: 33.33 }, 10_000_000, 3_333_000],
])('A cap of %j with %i deliveries allows %i', (cap, kept, limit) => {
  expect(limitOf(cap, kept)).toBe(limit);
});

test('A percentage allows no part of a return, at least three, and never fewer for more deliveries', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 10_000 }),
      fc.nat({ max: 20_000_000 }),
      fc.nat({ max: 1000 }),
      (hundredths, kept, more) => {
        const cap = { percent: hundredths / 100 };
        const limit = limitOf(cap, kept);
        expect(limit).toBe(Math.max(3, Number((BigInt(kept) * BigInt(hundredths)) / 10_000n)));
        expect(limitOf(cap, kept + more)).toBeGreaterThanOrEqual(limit);
      },
    ),
  );
});
