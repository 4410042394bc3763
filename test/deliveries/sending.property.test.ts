// Property test of sending: with random responses, worker deaths, operator changes and clock jumps in any order, no delivery is lost, and
// none is sold or charged twice (contract 4.10, 4.14).
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DRAW_SEED, DRAWN_BY } from '../support/drawn.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { createTestDatabase } from '../support/database.ts';
import { ENDINGS, openSendingMarket, type SendingMarket } from './sending-market.ts';

/** Successive commits draw other cases. */
const CASES = DRAWN_BY === 'all' ? 100 : 12;

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

const nth = fc.nat({ max: 5 });
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sell' as const), leads: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('begin' as const),
      // Often long enough for a step of the schedule, a probe or the end of a lease, as otherwise no job is due.
      after: fc.constantFrom(0, 13 * SECOND_MS, 31 * SECOND_MS, 41 * SECOND_MS),
      jobs: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('finish' as const),
      nth,
      endings: fc.array(fc.constantFrom(...ENDINGS), { minLength: 1, maxLength: 4 }),
      isTwice: fc.boolean(),
      diesThen: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), nth, hasArrived: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('jump' as const), ms: fc.integer({ min: -HOUR_MS, max: HOUR_MS }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('readdress' as const), path: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('enable' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redeliver' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(market: SendingMarket, taken: Step): Promise<void> {
  switch (taken.kind) {
    case 'sell':
      return market.sell(taken.leads);
    case 'begin':
      market.move(taken.after);
      return market.begin(taken.jobs);
    case 'finish':
      return market.finish(taken.nth, taken);
    case 'kill':
      return market.kill(taken.nth, taken.hasArrived);
    case 'jump':
      return market.move(taken.ms);
    case 'readdress':
      return market.readdress(taken.path);
    case 'enable':
      return market.enable();
    case 'redeliver':
      return market.redeliver();
  }
}

describe('Sending in any order of events', () => {
  it('loses and doubles no delivery, and settles all of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        const home = await createTestDatabase();
        try {
          const market = await openSendingMarket(home.database);
          await market.sell(3);
          for (const taken of steps) {
            await take(market, taken);
            expect(await market.faults()).toEqual([]);
          }
          await market.settle();
          expect(await market.faults()).toEqual([]);
          expect(await ledgerFaults(home.database)).toEqual([]);
        } finally {
          await home.drop();
        }
      }),
      { numRuns: CASES, seed: DRAW_SEED },
    );
    console.log(`sending in any order of events: ${CASES} cases, seed ${DRAW_SEED}`);
  });
});
