// What the operator sees at a glance, and where the numbers come from.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { connectSupplier, leadBody, type Supplier } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const yaml = `
marketplace: { currency: USD }
suppliers:
  - { key: acme, name: Acme Media, status: approved }
partners:
  - { key: summit, name: Summit Relief, channels: [], billing: { mode: postpaid, creditLimit: 1000000 },
      offers: [{ key: summit-ca, name: California, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] } }] }
  - { key: harbor, name: Harbor Law, channels: [webhook], settings: { webhookUrl: "https://crm.harbor.example/leads" } }
`;

// It stands still, so that no midnight comes between a lead and the look at the day's numbers.
const clock = handClock('2026-11-20T12:00:30.000Z');

let market: TestMarketplace;
let supplier: Supplier;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml, clock });
  supplier = connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 2 });
});
afterAll(async () => {
  await supplier.close();
  await market.close();
});

/** It is read once a second at most, so that a look may be a moment old. Each in a session of its own: under a clock that stands still no limit is ever over. */
const seen = (what: string, look: (overview: Json) => boolean): Promise<Json> =>
  eventually(what, async () => {
    const operator = await market.signedIn.operator();
    const { status, json } = await operator.get('/console/api/overview');
    expect(status).toBe(200);
    return look(json) ? json : null;
  });
const sql = (text: string, values: readonly unknown[] = []) => market.database.pool.query(text, [...values]);
const kinds = ({ problems }: Json): string[] => (problems as Json[]).map(({ kind }) => kind as string);

describe('The overview', () => {
  test('is for operators only', async () => {
    const buyer = await market.signedIn.buyer('summit');
    expect((await buyer.get('/console/api/overview')).status).toBe(401);
  });

  test('of a marketplace without leads has no problems, sixty minutes and this process', async () => {
    const overview = await seen('this process reports', ({ processes }) => processes.length === 1);
    expect(overview).toMatchObject({
      currency: 'USD',
      configVersion: expect.any(Number) as number,
      recentMinutes: 5,
      lastLeadAt: null,
      today: { submitted: 0, refused: 0, routed: 0, revenue: 0, deliveries: { confirmed: 0, failed: 0 } },
      queues: [
        { queue: 'routing', waiting: 0, inFlight: null, later: 0, isMore: false, ageSeconds: null },
        { queue: 'sending', waiting: 0, inFlight: 0, later: 0, isMore: false, ageSeconds: null },
        { queue: 'messages', waiting: 0, inFlight: 0, later: 0, isMore: false, ageSeconds: null },
      ],
      endpoints: { failing: 0, disabled: 0, listed: [] },
      deadJobs: { jobs: 0, isMore: false, latestAt: null },
      processes: [{ role: 'all', isLost: false }],
      problems: [],
    });
    expect(overview.minutes).toHaveLength(60);
    expect(overview.databaseBytes).toBeGreaterThan(1_000_000);
  });

  test('shows what came in, what was sold and what it earned', async () => {
    await supplier.postAll([
      leadBody(1),
      leadBody(2),
      // Nobody wants it.
      leadBody(3, { state: 'TX' }),
      // Refused at the door.
      leadBody(4, { email: undefined, phone: undefined }),
    ]);
    const overview = await seen(
      'all leads are decided and counted',
      ({ today, minutes }) =>
        today.routed === 2 &&
        today.noBuyer === 1 &&
        (minutes as Json[]).reduce((sum, { accepted }) => sum + (accepted as number), 0) === 3,
    );
    expect(overview.today).toMatchObject({
      submitted: 4,
      refused: 1,
      pending: 0,
      routed: 2,
      duplicates: 0,
      noBuyer: 1,
      revenue: 90,
      deliveries: { pending: 0, confirmed: 2, failed: 0, returned: 0 },
    });
    const sum = (name: string): number =>
      (overview.minutes as Json[]).reduce((total, minute) => total + (minute[name] as number), 0);
    expect([sum('accepted'), sum('refused'), sum('apiFaults')]).toEqual([3, 1, 0]);
    expect(sum('apiAnswers')).toBeGreaterThanOrEqual(4);
    expect(overview.lastLeadAt).toBe(clock.now().toISOString());
    expect(overview.minutes.at(-1)).toMatchObject({
      minute: '2026-11-20T12:00:00.000Z',
      accepted: 3,
      refused: 1,
      confirmed: 0,
    });
  });
});

describe('What is wrong', () => {
  test('comes first, with what to do about it', async () => {
    const anHourAgo = new Date(clock.now().getTime() - 3_600_000);
    await sql(
      `INSERT INTO endpoint_health VALUES ('buyer', 'harbor', 'webhook', 9, $1, $1, 'HTTP 503', $1), ('supplier', 'acme', 'webhook', 1, NULL, NULL, 'HTTP 500', $1)`,
      [anHourAgo],
    );
    await sql(`INSERT INTO dead_job VALUES ($1, 'route-lead', $2, 5, 'It could not be decided.', $3)`, [
      newUuid(),
      JSON.stringify({ leadId: newUuid() }),
      anHourAgo,
    ]);
    const overview = await seen('both are told', (json) => kinds(json).length === 2);
    expect(overview.problems).toEqual([
      {
        kind: 'endpoints_failing',
        severity: 'high',
        text: '1 endpoint fails. What is for it waits, and is tried again by itself.',
        remedy: 'Tell the owner, and see what the last answers were.',
        queue: null,
      },
      {
        kind: 'dead_jobs',
        severity: 'high',
        text: '1 dead letter waits for a decision.',
        remedy: 'See why, mend the cause, and have them run again.',
        queue: null,
      },
    ]);
    expect(overview.endpoints).toEqual({
      failing: 1,
      disabled: 0,
      listed: [
        {
          ownerKind: 'buyer',
          ownerKey: 'harbor',
          name: 'Harbor Law',
          channel: 'webhook',
          state: 'failing',
          since: anHourAgo.toISOString(),
          lastError: 'HTTP 503',
        },
      ],
    });
    expect(overview.deadJobs).toEqual({ jobs: 1, isMore: false, latestAt: anHourAgo.toISOString() });
    await sql('DELETE FROM endpoint_health');
    await sql('DELETE FROM dead_job');
  });

  test('names a process that has died without saying so', async () => {
    const longAgo = new Date(clock.now().getTime() - 600_000);
    await sql(`INSERT INTO process_report VALUES ($1, 'worker', $2, $2)`, [newUuid(), longAgo]);
    const overview = await seen('it is told', (json) => kinds(json).includes('process_lost'));
    expect((overview.processes as Json[]).map(({ role, isLost }) => [role, isLost])).toEqual([
      ['worker', true],
      ['all', false],
    ]);
    await sql(`DELETE FROM process_report WHERE seen_at = $1`, [longAgo]);
  });

  test('counts queues of any length only as far as anybody needs', async () => {
    await sql(
      `INSERT INTO routing_inbox (due_at, lead_id) SELECT $1, gen_random_uuid() FROM generate_series(1, 10050)`,
      [new Date(clock.now().getTime() + 86_400_000)],
    );
    const { queues } = await seen('the queue is seen', (json) => json.queues[0].later > 0);
    expect(queues[0]).toEqual({
      queue: 'routing',
      waiting: 0,
      inFlight: null,
      later: 10_000,
      isMore: true,
      ageSeconds: null,
    });
    await sql('DELETE FROM routing_inbox');
  });
});

describe('A process that ends', () => {
  test('takes its own row away and leaves what it counted', async () => {
    const other = await startTestMarketplace({ yaml, role: 'worker', on: market.testDatabase, clock });
    await seen('both are alive', ({ processes }) => processes.length === 2);
    await other.close();
    const { rows } = await sql('SELECT role FROM process_report');
    expect(rows).toEqual([{ role: 'all' }]);
    const { rows: minutes } = await sql('SELECT sum(accepted)::int AS accepted FROM process_minute');
    expect(minutes).toEqual([{ accepted: 3 }]);
  });
});
