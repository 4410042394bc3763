import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { draw, type Rate } from './token-bucket.rules.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

/** Draws at the given offsets in milliseconds and tells which were allowed. */
function allowed(rate: Rate, offsets: readonly number[]): boolean[] {
  let fullAtMs = 0;
  return offsets.map((offset) => {
    const drawn = draw(rate, fullAtMs, NOW + offset);
    fullAtMs = drawn.fullAtMs;
    return drawn.allowed;
  });
}

describe('A token bucket', () => {
  it.each([
    {
      name: 'a burst of 3 at one instant',
      rate: { perSecond: 1, burst: 3 },
      at: [0, 0, 0, 0],
      expected: [true, true, true, false],
    },
    {
      name: 'one more after a second',
      rate: { perSecond: 1, burst: 2 },
      at: [0, 0, 999, 1000, 1000],
      expected: [true, true, false, true, false],
    },
    {
      name: 'the burst again after long silence',
      rate: { perSecond: 10, burst: 2 },
      at: [0, 0, 0, 9000, 9000, 9000],
      expected: [true, true, false, true, true, false],
    },
    {
      name: 'a rate that does not divide a second',
      rate: { perSecond: 3, burst: 1 },
      at: [0, 333, 334, 667, 1000, 1001],
      expected: [true, false, true, false, true, false],
    },
    {
      name: 'less than one in a second',
      rate: { perSecond: 0.5, burst: 1 },
      at: [0, 1999, 2000],
      expected: [true, false, true],
    },
    {
      name: 'a clock that is set back',
      rate: { perSecond: 1, burst: 1 },
      at: [60_000, 0, 1000],
      expected: [true, false, true],
    },
  ])('grants $name', ({ rate, at, expected }) => {
    expect(allowed(rate, at)).toEqual(expected);
  });

  it('returns the remaining tokens, the time until it is full and the time of the next token', () => {
    const rate = { perSecond: 10, burst: 20 };
    const first = draw(rate, 0, NOW);
    expect(first).toMatchObject({ allowed: true, remaining: 19, resetSeconds: 1, retryAfterSeconds: 0 });
    let state = first.fullAtMs;
    for (let index = 2; index <= 20; index += 1) state = draw(rate, state, NOW).fullAtMs;
    expect(draw(rate, state, NOW)).toMatchObject({
      allowed: false,
      remaining: 0,
      resetSeconds: 2,
      retryAfterSeconds: 1,
    });
    expect(draw({ perSecond: 0.1, burst: 1 }, draw({ perSecond: 0.1, burst: 1 }, 0, NOW).fullAtMs, NOW)).toMatchObject({
      allowed: false,
      retryAfterSeconds: 10,
    });
  });

  it('takes no token for a rejection', () => {
    const rate = { perSecond: 1, burst: 1 };
    const { fullAtMs } = draw(rate, 0, NOW);
    expect(draw(rate, fullAtMs, NOW + 500).fullAtMs).toBe(fullAtMs);
  });

  it('follows a changed rate at once', () => {
    const slow = { perSecond: 1, burst: 1 };
    const { fullAtMs } = draw(slow, 0, NOW);
    expect(draw(slow, fullAtMs, NOW).allowed).toBe(false);
    expect(draw({ perSecond: 100, burst: 200 }, fullAtMs, NOW)).toMatchObject({ allowed: true, remaining: 99 });
    const emptied = draw({ perSecond: 0.001, burst: 10 }, NOW + 10_000_000, NOW);
    expect(draw({ perSecond: 10, burst: 1 }, emptied.fullAtMs, NOW)).toMatchObject({
      allowed: false,
      retryAfterSeconds: 1,
    });
  });

  it('never grants more than the burst and the rate together, and never less', () => {
    fc.assert(
      fc.property(
        fc.record({ perSecond: fc.integer({ min: 1, max: 1000 }), burst: fc.integer({ min: 1, max: 500 }) }),
        fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 200 }),
        (rate, gaps) => {
          let elapsed = 0;
          const offsets = gaps.map((gap) => (elapsed += gap));
          const given = allowed(rate, offsets).filter(Boolean).length;
          expect(given).toBeLessThanOrEqual(rate.burst + Math.floor((elapsed * rate.perSecond) / 1000 + 0.01));
          expect(given).toBeGreaterThanOrEqual(Math.min(rate.burst, gaps.length));
        },
      ),
    );
  });
});
