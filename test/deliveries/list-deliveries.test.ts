import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { DAY_MS } from '../../src/base/time.ts';
import { deliveryStatuses } from '../../src/deliveries/delivery.ts';
import { foldDeliveryCountsSql } from '../../src/deliveries/delivery-count.sql.ts';
import { selectPage } from '../../src/deliveries/delivery.sql.ts';
import { type DeliveryQuery, listDeliveries } from '../../src/deliveries/list-deliveries.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { plantDeliveries, type Planted } from './plant-deliveries.ts';

let home: TestDatabase;
/** A new partner for every test. */
let buyerKey: string;
let count = 0;

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());
beforeEach(() => {
  nextBuyer();
});

function nextBuyer(): void {
  count += 1;
  buyerKey = `buyer-${count}`;
}

const everything: DeliveryQuery = { page: 1, pageSize: 100, status: null, from: null, until: null };

function list(query: Partial<DeliveryQuery> = {}, key: string = buyerKey) {
  return home.database.tx((tx) => listDeliveries(tx, key, { ...everything, ...query }), { snapshot: true });
}

/** Every page up to the first empty one, and the totals of the pages. */
async function readAllPages(query: Partial<DeliveryQuery>): Promise<{ ids: string[]; totals: number[] }> {
  const ids: string[] = [];
  const totals: number[] = [];
  for (let page = 1; ; page += 1) {
    const { total, rows } = await list({ ...query, page });
    totals.push(total);
    if (rows.length === 0) return { ids, totals };
    ids.push(...rows.map((row) => row.deliveryId));
  }
}

/** The expected list, by sorting and filtering all deliveries. */
function expected(
  planted: readonly Planted[],
  { status, from, until }: Pick<DeliveryQuery, 'status' | 'from' | 'until'>,
): string[] {
  return planted
    .filter((one) => status === null || one.status === status)
    .filter((one) => (from === null || one.at >= from) && (until === null || one.at < until))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.deliveryId < b.deliveryId ? 1 : -1))
    .map((one) => one.deliveryId);
}

const FIRST_DAY = Date.parse('2026-10-30');
const anyDay = fc.integer({ min: -1, max: 5 }).map((day) => new Date(FIRST_DAY + day * DAY_MS));
// Times that often equal each other and the edges of days.
const anyMoment = fc.oneof(
  anyDay,
  anyDay.map((day) => new Date(day.getTime() - 1)),
  fc.integer({ min: 0, max: 5 * DAY_MS }).map((ms) => new Date(FIRST_DAY + ms)),
);
const anySeed = fc.record({
  at: anyMoment,
  status: fc.constantFrom(...deliveryStatuses),
  eventType: fc.constantFrom('Lead Sale' as const, 'Calendar Assigned' as const),
  offerKey: fc.constantFrom('west', 'calls'),
});
// From one instant to another: days of any zone, not of UTC only.
const anySpan = fc.tuple(anyMoment, anyMoment, fc.boolean(), fc.boolean()).map(([one, other, hasFrom, hasUntil]) => ({
  from: hasFrom ? new Date(Math.min(one.getTime(), other.getTime())) : null,
  until: hasUntil ? new Date(Math.max(one.getTime(), other.getTime())) : null,
}));
const anyQuery = fc
  .tuple(
    fc.record({
      pageSize: fc.integer({ min: 1, max: 12 }),
      status: fc.option(fc.constantFrom(...deliveryStatuses)),
    }),
    anySpan,
  )
  .map(([query, span]) => ({ ...query, ...span }));

describe('Paging through a list of deliveries', () => {
  it('visits every delivery exactly once, newest first, with an exact total on every page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anySeed, { maxLength: 40 }),
        fc.array(anyQuery, { minLength: 1, maxLength: 4 }),
        async (seeds, queries) => {
          nextBuyer();
          const planted = await plantDeliveries(home.database, buyerKey, seeds);
          for (const query of queries) {
            const { ids, totals } = await readAllPages(query);
            const wanted = expected(planted, query);
            expect(ids).toEqual(wanted);
            expect(new Set(totals)).toEqual(new Set([wanted.length]));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('returns empty pages with the total past the end', async () => {
    await plantDeliveries(home.database, buyerKey, [{ at: new Date(FIRST_DAY) }]);
    expect(await list({ page: 2 })).toEqual({ total: 1, rows: [] });
    expect(await list({ page: 999_999_999_999_999 })).toEqual({ total: 1, rows: [] });
  });

  it('never finds another partner’s deliveries', async () => {
    await plantDeliveries(home.database, buyerKey, [{ at: new Date(FIRST_DAY) }]);
    expect(await list({}, 'somebody-else')).toEqual({ total: 0, rows: [] });
  });

  it('returns rows with all columns that the view needs', async () => {
    const at = new Date('2026-11-20T17:03:12.418Z');
    const appointmentAt = new Date('2026-11-23T17:30:00.000Z');
    const [planted] = await plantDeliveries(home.database, buyerKey, [
      {
        at,
        eventType: 'Calendar Assigned',
        appointmentAt,
        payoutCents: 12_050,
        fields: { fullName: 'Dana Whitfield' },
      },
    ]);
    const { rows } = await list();
    expect(rows).toEqual([
      {
        deliveryId: planted?.deliveryId,
        refNumber: expect.any(Number),
        eventType: 'Calendar Assigned',
        status: 'Confirmed',
        payoutCents: 12_050,
        deliveredAt: at,
        confirmedAt: at,
        appointmentAt,
        leadId: expect.any(String),
        fields: expect.stringContaining('"fullName":"Dana Whitfield"'),
        erasedConsent: null,
        isConfirmedAtOnce: false,
        returnUntil: null,
        buyerReference: null,
        soldPayoutCents: 12_050,
      },
    ]);
  });
});

describe('Folding the stored counts', () => {
  it('changes no total and no page, and leaves a row per status, kind and offer', async () => {
    const seeds = fc.sample(anySeed, { numRuns: 160, seed: 7 });
    const planted = await plantDeliveries(home.database, buyerKey, seeds);
    await plantDeliveries(home.database, `${buyerKey}-other`, seeds.slice(0, 5));
    const before = await countsOf(buyerKey);
    const other = await countsOf(`${buyerKey}-other`);
    // Days with few rows are not folded, so it takes a busy day.
    const rowsBefore = await rowsOf(buyerKey);
    await home.database.tx((tx) => tx.query(foldDeliveryCountsSql, { daysPerCall: 1000, day: '2000-01-01' }));
    expect(await rowsOf(buyerKey)).toBeLessThan(rowsBefore);
    expect(await countsOf(buyerKey)).toEqual(before);
    expect(await countsOf(`${buyerKey}-other`)).toEqual(other);
    for (const status of [null, ...deliveryStatuses]) {
      const { ids, totals } = await readAllPages({ status, pageSize: 30 });
      expect(ids).toEqual(expected(planted, { status, from: null, until: null }));
      expect(new Set(totals)).toEqual(new Set([ids.length]));
    }
  });

  async function rowsOf(key: string): Promise<number> {
    const { rows } = await home.database.pool.query(
      'SELECT count(*)::int AS n FROM delivery_count WHERE buyer_key = $1',
      [key],
    );
    return rows[0].n;
  }

  async function countsOf(key: string): Promise<unknown[]> {
    const text = `SELECT day::text, status, event_type, offer_key, sum(deliveries) AS n, sum(payout_cents) AS cents FROM delivery_count
       WHERE buyer_key = $1 GROUP BY 1, 2, 3, 4 HAVING sum(deliveries) <> 0 OR sum(payout_cents) <> 0 ORDER BY 1, 2, 3, 4`;
    const counts = (await home.database.pool.query(text, [key])).rows;
    const rows = await home.database.pool.query(
      `SELECT (delivered_at AT TIME ZONE 'UTC')::date::text AS day, status, event_type, offer_key, count(*) AS n, sum(payout_cents) AS cents
       FROM delivery WHERE buyer_key = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
      [key],
    );
    expect(counts.map(({ n, cents, ...by }) => ({ ...by, n: Number(n), cents: Number(cents) }))).toEqual(
      rows.rows.map(({ n, cents, ...by }) => ({ ...by, n: Number(n), cents: Number(cents) })),
    );
    return counts;
  }
});

describe('A snapshot transaction', () => {
  it('does not see concurrent changes, so that total and page agree', async () => {
    await plantDeliveries(home.database, buyerKey, [{ at: new Date(FIRST_DAY) }]);
    await home.database.tx(
      async (tx) => {
        const first = await listDeliveries(tx, buyerKey, everything);
        await plantDeliveries(home.database, buyerKey, [{ at: new Date(FIRST_DAY + 1) }]);
        expect(await listDeliveries(tx, buyerKey, everything)).toEqual(first);
        expect(first.total).toBe(1);
      },
      { snapshot: true },
    );
    expect((await list()).total).toBe(2);
  });

  it('rejects writes', async () => {
    const attempt = home.database.tx((tx) => tx.query(foldDeliveryCountsSql, { daysPerCall: 1, day: '2000-01-01' }), {
      snapshot: true,
    });
    // The class is `read_only_sql_transaction`.
    await expect(attempt).rejects.toMatchObject({ cause: { code: '25006' } });
  });
});

describe('A page of deliveries', () => {
  const DAYS = 60;
  const PER_DAY = 200;

  beforeAll(async () => {
    // Two partners in turn, as in a real table, so that their rows are mixed.
    await home.database.pool.query(
      `WITH made AS (
         INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status, payout_cents,
                               cap_windows, delivered_at, confirmed_at)
         SELECT gen_random_uuid(), 'busy-' || i % 2, gen_random_uuid(), 'west', 'acme-media', 'Lead Sale', true, 'Confirmed', 4500, '[]', at, at
         FROM generate_series(0, $1::int - 1) AS i, LATERAL (SELECT timestamptz '2026-01-01Z' + i * $2::interval AS at) AS t
         RETURNING lead_id, delivered_at
       )
       INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, received_at, content_hash, fields)
       SELECT lead_id, 'acme-media', false, true, 'routed', 'Lead Sale', 70, delivered_at, '\\x00', '{}' FROM made`,
      [DAYS * PER_DAY * 2, `${DAY_MS / PER_DAY / 2} milliseconds`],
    );
    await home.database.pool.query('ANALYZE delivery, lead');
  });

  it.each([
    ['in the middle of a day', 120, 25],
    ['at the beginning of a day', 0, 100],
  ])('reads only the rows of its day up to its own end: %s', async (_, skip, pageSize) => {
    const from = new Date('2026-01-31T00:00:00Z');
    const span = ['busy-1', from, new Date(from.getTime() + DAY_MS), skip, pageSize];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const plan = await explain(selectPage({ status: null, eventType: null }).text, span, mode);
      const scans = plan.filter((node) => node['Relation Name'] === 'delivery');
      expect(scans.map((node) => node['Index Name'])).toEqual(['delivery_of_buyer']);
      const read = scans.map(
        (node) => node['Actual Rows'] * node['Actual Loops'] + (node['Rows Removed by Filter'] ?? 0),
      );
      expect(read).toEqual([skip + pageSize]);
      const leads = plan.filter((node) => node['Relation Name'] === 'lead');
      expect(leads.map((node) => node['Actual Loops'])).toEqual([pageSize]);
    }
  });

  type Node = {
    readonly 'Relation Name'?: string;
    readonly 'Index Name'?: string;
    readonly 'Actual Rows': number;
    readonly 'Actual Loops': number;
    readonly 'Rows Removed by Filter'?: number;
    readonly Plans?: readonly Node[];
  };

  /** The execution plan, node by node. */
  async function explain(text: string, values: readonly unknown[], mode: string): Promise<Node[]> {
    const client = await home.database.connect();
    try {
      // As configured on the embedded server and advised in docs/operations.md: the default assumes rotating disks.
      await client.query('SET random_page_cost = 1.1');
      await client.query(`SET plan_cache_mode = ${mode}`);
      await client.query(`PREPARE page AS ${text}`);
      const literals = values.map((value) => `'${value instanceof Date ? value.toISOString() : String(value)}'`);
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page (${literals.join(', ')})`);
      return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
    } finally {
      await client.end();
    }
  }

  function nodesOf(node: Node): Node[] {
    return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  }
});
