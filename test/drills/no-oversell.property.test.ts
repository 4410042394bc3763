// Property test of routing: with random leads, failures and changes in any order, two concurrent workers and clock jumps, no cap, budget or
// balance is exceeded (contract 4.5).
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DRAW_SEED, DRAWN_BY } from '../support/drawn.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { createTestDatabase } from '../support/database.ts';
import {
  ENDINGS,
  type Limits,
  openSmallMarket,
  SLOT_CAPACITY,
  type SmallMarket,
  STATES,
} from '../routing/small-market.ts';

type Counter = { offerKey: string; window: string; startsAt: Date; used: number; usedCents: number };

/** Successive commits draw other cases. */
const CASES = DRAWN_BY === 'all' ? 100 : 40;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const cap = fc.option(fc.integer({ min: 0, max: 4 }), { nil: null });
const limits: fc.Arbitrary<Limits> = fc.record({
  strategy: fc.constantFrom('price', 'weighted', 'round_robin'),
  soloDaily: cap,
  soloWeekly: cap,
  duoMonthly: cap,
  pacedDaily: fc.integer({ min: 0, max: 8 }),
  thriftBudget: fc.constantFrom(null, 0, 10, 19, 30),
});
const ending = fc.nat({ max: ENDINGS.length - 1 });
const work = fc.record({
  kind: fc.constant('work' as const),
  batches: fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 })),
  endings: fc.array(ending, { minLength: 1, maxLength: 5 }),
});
const person = fc.integer({ min: 1, max: 50 });
/** From few states, so that they compete for the same few offers. */
const leads = fc
  .tuple(
    fc.subarray(STATES, { minLength: 1, maxLength: 2 }),
    fc.array(fc.tuple(person, person, fc.nat()), { minLength: 4, maxLength: 16 }),
  )
  .map(([states, some]) =>
    some.map(([mailbox, phone, chance]) => ({ mailbox, phone, state: states[chance % states.length] ?? '' })),
  );
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      leads,
      // At once, because a step that only posts has no visible result.
      followedBy: work,
    }),
  },
  { weight: 3, arbitrary: work },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('limit' as const), limits }) },
  // Forward and back, and in total never as far as the duplicate window.
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      ms: fc.oneof(fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }), fc.integer({ min: -HOUR_MS, max: HOUR_MS })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pay' as const), dollars: fc.integer({ min: 13, max: 29 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(market: SmallMarket, taken: Step): Promise<void> {
  switch (taken.kind) {
    case 'post':
      await market.post(taken.leads);
      return market.work(taken.followedBy);
    case 'work':
      return market.work(taken);
    case 'limit':
      return market.limit(taken.limits);
    case 'move':
      return market.move(taken.ms);
    case 'pay':
      return market.pay(taken.dollars * 100);
  }
}

const readCounters = ({ database }: SmallMarket): Promise<Counter[]> =>
  select<Counter>(
    database,
    `SELECT offer_key AS "offerKey", cap_window AS "window", starts_at AS "startsAt", used, used_cents AS "usedCents" FROM cap_counter`,
  );

const nameOf = ({ offerKey, window, startsAt }: Counter): string => `${offerKey} ${window} ${startsAt.toISOString()}`;

/** The maximum of a counter after a step in which its offer was sold. */
function mostOf({ offerKey, window }: Counter, bounds: Limits, now: Date): { sales: number; cents: number } {
  const caps: Record<string, number | null> = {
    'solo daily': bounds.soloDaily,
    'solo weekly': bounds.soloWeekly,
    'duo monthly': bounds.duoMonthly,
    'paced daily': Math.min(bounds.pacedDaily, Math.ceil((bounds.pacedDaily * (now.getTime() % DAY_MS)) / DAY_MS) + 1),
    'calls slot': SLOT_CAPACITY,
  };
  const budgets: Record<string, number | null> = {
    'thrift daily': bounds.thriftBudget === null ? null : bounds.thriftBudget * 100,
  };
  const name = `${offerKey} ${window}`;
  return { sales: caps[name] ?? Infinity, cents: budgets[name] ?? Infinity };
}

/** Each query finds rows that contradict its sentence. A delivery that has not failed belongs to the last decision that sold its lead. */
const NEVER: Readonly<Record<string, string>> = {
  'a prepaid partner owes': `SELECT * FROM account WHERE account_key = 'buyer:purse' AND balance_cents - held_cents < 0`,
  'a lead has an exclusive buyer and another one': `
    SELECT lead_id FROM delivery WHERE status <> 'Failed' GROUP BY 1 HAVING bool_or(is_exclusive) AND count(*) > 1`,
  'a lead is shared by more buyers than each of them bears': `
    SELECT lead_id FROM delivery WHERE status <> 'Failed' GROUP BY 1
    HAVING count(*) > CASE WHEN bool_or(offer_key = 'duo') THEN 2 ELSE 3 END`,
  'a person is sold again after an exclusive sale, or twice to one buyer': `
    WITH sold AS (
      SELECT person, r.decided_order AS place, d.buyer_key, d.is_exclusive FROM delivery d JOIN lead l USING (lead_id),
        LATERAL (SELECT max(decided_order) AS decided_order FROM routing_decision
                 WHERE lead_id = d.lead_id AND outcome = 'routed') AS r,
        LATERAL (VALUES (l.fields::json->>'email'), (l.fields::json->>'phone')) AS p (person)
      WHERE d.status <> 'Failed')
    SELECT person, one.buyer_key AS first, next.buyer_key AS second FROM sold AS one JOIN sold AS next USING (person)
    WHERE one.place < next.place AND (one.is_exclusive OR one.buyer_key = next.buyer_key)`,
};

async function oversold(market: SmallMarket, before: readonly Counter[], bounds: Limits): Promise<unknown[]> {
  const known = new Map(before.map((counter) => [nameOf(counter), counter]));
  const counters = (await readCounters(market)).filter((counter) => {
    const { used, usedCents } = known.get(nameOf(counter)) ?? { used: 0, usedCents: 0 };
    const most = mostOf(counter, bounds, market.now());
    // A cap that was lowered below the sales revokes none of them.
    return counter.used > Math.max(used, most.sales) || counter.usedCents > Math.max(usedCents, most.cents);
  });
  const found: unknown[] = counters.map((counter) => ({ ...counter, bounds }));
  for (const [sentence, sql] of Object.entries(NEVER)) {
    for (const row of await select(market.database, sql)) found.push({ sentence, row });
  }
  return [...found, ...(await ledgerFaults(market.database, { atRest: false })), ...market.faults];
}

describe('Routing with random operations', () => {
  it('exceeds no cap, budget or balance, and keeps counters equal to the sales', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { minLength: 4, maxLength: 12 }), async (first, steps) => {
        const home = await createTestDatabase();
        try {
          const market = openSmallMarket(home.database);
          let bounds = first;
          await market.limit(bounds);
          await market.pay(2900);
          let counters = await readCounters(market);
          for (const taken of steps) {
            if (taken.kind === 'limit') bounds = taken.limits;
            await take(market, taken);
            expect(await oversold(market, counters, bounds)).toEqual([]);
            counters = await readCounters(market);
          }
        } finally {
          await home.drop();
        }
      }),
      { numRuns: CASES, seed: DRAW_SEED },
    );
    console.log(`routing with random operations: ${CASES} cases, seed ${DRAW_SEED}`);
  });
});
