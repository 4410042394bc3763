// No supplier's backlog delays the leads of another: the inbox is claimed in turn, and too old a backlog stops its own supplier only.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { claimDueLeads, queueLeads } from '../../src/leads/inbox.ts';
import { selectOverdueSuppliers } from '../../src/leads/inbox.sql.ts';
import { OVERDUE_LEADS, OVERDUE_MS } from '../../src/leads/inbox-watch.ts';
import type { Tx } from '../../src/platform/database/database.ts';
import { dueAtOnce } from '../../src/platform/queue/due-at-once.ts';
import { ingestProblem, postLead, problemFacts } from '../support/api-client.ts';
import { marketYaml, sampleLead } from '../contract/market.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const START = '2026-11-20T18:00:00.000Z';
const clock = handClock(START);

let market: TestMarketplace;

beforeAll(async () => {
  // Without workers, so that what is queued stays queued.
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api', clock });
});
afterAll(() => market.close());
beforeEach(() => market.database.pool.query('TRUNCATE routing_inbox, lead CASCADE'));

/** Stored leads of a supplier that are due at one instant each, a second apart from `firstAt`. */
async function plant(tx: Tx, supplierKey: string, count: number, firstAt: Date): Promise<void> {
  const leads = Array.from({ length: count }, (_, index) => ({
    leadId: newUuid(),
    dueAt: new Date(firstAt.getTime() + index),
    failures: 0,
  }));
  await market.database.pool.query(
    `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, score_factors, received_at, content_hash,
                       fields, raw_body)
     SELECT lead_id, $2, false, true, 'received', 'Pending', 70, '{}', $3, '\\x00', '{}', '{}' FROM unnest($1::uuid[]) AS u (lead_id)`,
    [leads.map(({ leadId }) => leadId), supplierKey, firstAt],
  );
  await queueLeads(tx, leads);
}

const minutesAgo = (minutes: number): Date => new Date(Date.parse(START) - minutes * 60_000);
const suppliersOf = (claimed: ReadonlyArray<{ readonly supplierKey: string }>): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(claimed, (lead) => lead.supplierKey)].map(([key, leads]) => [key, leads.length]));

describe('The routing inbox', () => {
  it('gives every supplier an equal share of a batch, and the rest to the oldest leads', async () => {
    await market.database.tx(async (tx) => {
      await plant(tx, 'flood', 500, minutesAgo(30));
      await plant(tx, 'second', 500, minutesAgo(20));
      await plant(tx, 'small', 3, minutesAgo(1));
    });
    const claimed = await market.database.tx((tx) => claimDueLeads(tx, 90, new Date(START)));
    expect(suppliersOf(claimed)).toEqual({ flood: 57, second: 30, small: 3 });
    const times = claimed.map(({ dueAt }) => dueAt.getTime());
    expect(times).toEqual(times.toSorted((left, right) => left - right));
  });

  it('serves the suppliers that have waited longest where there are more of them than leads in a batch', async () => {
    await market.database.tx(async (tx) => {
      for (let supplier = 0; supplier < 9; supplier += 1) {
        await plant(tx, `supplier-${supplier}`, 2, minutesAgo(10 + ((supplier * 4) % 9)));
      }
    });
    const claimed = await market.database.tx((tx) => claimDueLeads(tx, 3, new Date(START)));
    expect(claimed.map(({ supplierKey }) => supplierKey)).toEqual(['supplier-2', 'supplier-4', 'supplier-6']);
  });

  it('gives two workers different leads, each in turn over the suppliers', async () => {
    await market.database.tx(async (tx) => {
      await plant(tx, 'flood', 40, minutesAgo(30));
      await plant(tx, 'small', 8, minutesAgo(1));
    });
    const [first, second] = await market.database.tx(async (one) => {
      const ours = await claimDueLeads(one, 10, new Date(START));
      return [ours, await market.database.tx((other) => claimDueLeads(other, 10, new Date(START)))];
    });
    expect([suppliersOf(first), suppliersOf(second)]).toEqual([
      { flood: 5, small: 5 },
      { flood: 7, small: 3 },
    ]);
    expect(new Set([...first, ...second].map(({ leadId }) => leadId)).size).toBe(20);
  });

  it('leaves leads alone that are due later, and finds those that an older release has queued', async () => {
    await market.database.tx(async (tx) => {
      await plant(tx, 'later', 5, new Date(Date.parse(START) + 60_000));
      await plant(tx, 'acme-media', 2, minutesAgo(1));
    });
    await market.database.pool.query(`UPDATE routing_inbox SET supplier_key = '' WHERE due_at <= $1`, [START]);
    const claimed = await market.database.tx((tx) => claimDueLeads(tx, 10, new Date(START)));
    expect(suppliersOf(claimed)).toEqual({ 'acme-media': 2 });
  });
});

describe('A supplier whose leads wait too long for routing', () => {
  it('gets 429 with Retry-After until they are routed, while others may post, also those with a few old leads', async () => {
    const [flooding, other] = [await market.supplierKey('acme-media'), await market.supplierKey('rival-media')];
    const overdue = new Date(dueAtOnce(clock.now()).getTime() - OVERDUE_MS - 5000);
    await market.database.tx(async (tx) => {
      await plant(tx, 'acme-media', OVERDUE_LEADS, overdue);
      await plant(tx, 'rival-media', OVERDUE_LEADS - 1, minutesAgo(60 * 24));
    });
    const overdueSuppliers = () =>
      market.database.query(selectOverdueSuppliers, {
        before: new Date(overdue.getTime() + 1),
        leads: OVERDUE_LEADS,
        workerSeenSince: clock.now(),
      });
    // Without a worker all leads wait, and every post is accepted.
    expect(await overdueSuppliers()).toEqual([]);
    await market.database.pool.query(
      `INSERT INTO process_report (process_id, role, started_at, seen_at) VALUES (gen_random_uuid(), 'worker', $1, $1)`,
      [new Date(clock.now().getTime() + 3_600_000)],
    );
    expect(await overdueSuppliers()).toEqual([{ supplierKey: 'acme-media', dueAt: overdue }]);
    let serial = 0;
    const post = (key: string) => postLead(market.url, key, sampleLead((serial += 1)));
    const rejected = await eventually('a post is rejected', async () => {
      clock.advance(1000);
      const response = await post(flooding);
      return response.status === 429 && response;
    });
    expect(problemFacts(rejected)).toEqual(ingestProblem(429, 'rate_limited'));
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(5);
    expect((await post(other)).status).toBe(202);
    await market.database.pool.query('DELETE FROM routing_inbox WHERE due_at < $1', [overdue.toISOString()]);
    await market.database.tx((tx) => claimDueLeads(tx, OVERDUE_LEADS, clock.now()));
    await eventually('it may post again', async () => {
      clock.advance(1000);
      return (await post(flooding)).status === 202;
    });
  });
});
