// The console's health: figures, problems, metrics, and how processes end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { followWarnings } from '../../src/watch/follow-warnings.job.ts';
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

// Frozen, so that no midnight falls between a lead and the check of the day's figures.
const clock = handClock('2026-11-20T12:00:30.000Z');

let market: TestMarketplace;
let supplier: Supplier;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml, clock, overviewMaxAgeMs: 10 });
  supplier = connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 2 });
});
afterAll(async () => {
  await supplier.close();
  await market.close();
});

/** The health is cached for a second, so a response may be old. A new session each time: with a frozen clock rate limits never refill. */
const seen = (what: string, look: (health: Json) => boolean): Promise<Json> =>
  eventually(what, async () => {
    const operator = await market.signedIn.operator();
    const { status, json } = await operator.get('/console/api/health');
    expect(status).toBe(200);
    return look(json) ? json : null;
  });
const sql = (text: string, values: readonly unknown[] = []) => market.database.pool.query(text, [...values]);
const kinds = ({ warnings }: Json): string[] => (warnings as Json[]).map(({ kind }) => kind as string);

describe('the console’s page of health', () => {
  it('refuses partners and suppliers', async () => {
    const buyer = await market.signedIn.buyer('summit');
    expect((await buyer.get('/console/api/health')).status).toBe(401);
  });

  it('has no problems, sixty minutes and this process in an empty marketplace', async () => {
    const health = await seen('this process reports', ({ processes }) => processes.length === 1);
    expect(health).toMatchObject({
      currency: 'USD',
      configVersion: expect.any(Number) as number,
      recentMinutes: 5,
      lastLeadAt: null,
      today: { day: '2026-11-20', submitted: 0, refused: 0, sold: 0, revenue: 0, deliveries: 0, failed: 0 },
      queues: [
        { queue: 'routing', waiting: 0, inFlight: null, later: 0, isMore: false, ageSeconds: null },
        { queue: 'sending', waiting: 0, inFlight: 0, later: 0, isMore: false, ageSeconds: null },
        { queue: 'messages', waiting: 0, inFlight: 0, later: 0, isMore: false, ageSeconds: null },
      ],
      endpoints: { failing: 0, disabled: 0, listed: [] },
      deadJobs: { jobs: 0, isMore: false, latestAt: null },
      processes: [{ role: 'all', isLost: false }],
      warnings: [],
    });
    expect(health.minutes).toHaveLength(60);
    expect(health.databaseBytes).toBeGreaterThan(1_000_000);
  });

  it('counts submissions, sales and revenue', async () => {
    await supplier.postAll([
      leadBody(1),
      leadBody(2),
      // No offer matches.
      leadBody(3, { state: 'TX' }),
      // Rejected by the checks.
      leadBody(4, { email: undefined, phone: undefined }),
    ]);
    const health = await seen(
      'all leads are decided and counted',
      ({ today, minutes }) =>
        today.sold === 2 &&
        today.unsold === 1 &&
        (minutes as Json[]).reduce((sum, { accepted }) => sum + (accepted as number), 0) === 3,
    );
    expect(health.today).toEqual({
      ...{ day: '2026-11-20', submitted: 4, accepted: 3, refused: 1, sold: 2, unsold: 1, pending: 0 },
      ...{ deliveries: 2, failed: 0, returned: 0, revenue: 90 },
    });
    const sum = (name: string): number =>
      (health.minutes as Json[]).reduce((total, minute) => total + (minute[name] as number), 0);
    expect([sum('accepted'), sum('refused'), sum('apiFaults')]).toEqual([3, 1, 0]);
    expect(sum('apiAnswers')).toBeGreaterThanOrEqual(4);
    expect(health.lastLeadAt).toBe(clock.now().toISOString());
    expect(health.minutes.at(-1)).toMatchObject({
      minute: '2026-11-20T12:00:00.000Z',
      accepted: 3,
      refused: 1,
      confirmed: 0,
    });
  });
});

describe('warnings on the health', () => {
  it('have remedies, their time and their money', async () => {
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
    const health = await seen('both are reported', (json) => kinds(json).length === 2);
    expect(health.warnings).toEqual([
      {
        kind: 'dead_jobs',
        subject: '',
        severity: 'high',
        text: '1 dead letter waits for a decision.',
        remedy: 'See why, mend the cause, and have them run again.',
        partner: null,
        money: null,
        since: null,
        acknowledged: null,
      },
      {
        kind: 'endpoint_failing',
        subject: 'buyer:harbor:webhook',
        severity: 'high',
        text: 'The webhook of Harbor Law is failing (HTTP 503). Its deliveries are queued and retried automatically.',
        remedy: 'See the last responses, and notify the owner.',
        partner: 'harbor',
        money: 0,
        since: anHourAgo.toISOString(),
        acknowledged: null,
      },
    ]);
    expect(health.endpoints).toEqual({
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
    expect(health.deadJobs).toEqual({ jobs: 1, isMore: false, latestAt: anHourAgo.toISOString() });
    await sql('DELETE FROM endpoint_health');
    await sql('DELETE FROM dead_job');
  });

  it('include a process with a wrong clock, which does not count as lost', async () => {
    const aheadMs = -300_000;
    const seenAt = new Date(clock.now().getTime() + aheadMs);
    const processId = newUuid();
    await sql(
      `INSERT INTO process_report (process_id, role, started_at, seen_at, clock_ahead_ms) VALUES ($1, 'worker', $2, $2, $3)`,
      [processId, seenAt, aheadMs],
    );
    const health = await seen('it is reported', (json) => kinds(json).includes('clocks_apart'));
    expect(kinds(health)).not.toContain('process_lost');
    expect(health.processes).toMatchObject([
      { role: 'worker', isLost: false, clockAheadMs: aheadMs },
      { role: 'all', isLost: false, clockAheadMs: null },
    ]);
    await sql('DELETE FROM process_report WHERE process_id = $1', [processId]);
  });

  it('include a process that died unexpectedly', async () => {
    const longAgo = new Date(clock.now().getTime() - 600_000);
    await sql(`INSERT INTO process_report VALUES ($1, 'worker', $2, $2)`, [newUuid(), longAgo]);
    const health = await seen('it is reported', (json) => kinds(json).includes('process_lost'));
    expect((health.processes as Json[]).map(({ role, isLost }) => [role, isLost])).toEqual([
      ['worker', true],
      ['all', false],
    ]);
    await sql(`DELETE FROM process_report WHERE seen_at = $1`, [longAgo]);
  });

  it('count long queues only up to a limit', async () => {
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

describe('/metrics', () => {
  it('reports the age of the oldest due job of each queue', async () => {
    const hand = handClock('2026-11-20T12:00:30.000Z');
    const serving = await startTestMarketplace({ yaml, role: 'api', clock: hand });
    const ages = async (): Promise<Record<string, number>> => {
      const text = await (await fetch(`${serving.url}/metrics`)).text();
      const lines = text.matchAll(/^leadmarket_queue_oldest_due_seconds\{queue="(\w+)"\} (\S+)$/gm);
      return Object.fromEntries([...lines].map(([, queue, seconds]) => [queue, Number(seconds)]));
    };
    expect(await ages()).toEqual({ routing: 0, sending: 0, messages: 0 });
    const acme = connectSupplier(serving.url, { key: await serving.supplierKey('acme'), connections: 1 });
    await acme.postAll([leadBody(1)]);
    await acme.close();
    const { pool } = serving.database;
    await pool.query(
      `INSERT INTO send_job (delivery_id, channel, buyer_key, due_at) SELECT gen_random_uuid(), 'webhook', buyer_key, $1 FROM buyer`,
      [new Date(hand.now().getTime() - 60_000)],
    );
    // Deliveries that wait for a failing endpoint are not late.
    await pool.query(
      `INSERT INTO endpoint_health (owner_kind, owner_key, channel, failures, opened_at, next_probe_at, last_error, last_failed_at)
       VALUES ('buyer', 'harbor', 'webhook', 9, $1, $1, 'HTTP 503', $1)`,
      [hand.now()],
    );
    hand.advance(100_000);
    expect(await ages()).toEqual({ routing: 100, sending: 150, messages: 0 });
    await pool.query(`DELETE FROM send_job WHERE buyer_key <> 'harbor'`);
    expect(await ages()).toEqual({ routing: 100, sending: 0, messages: 0 });
    await serving.close();
  });
});

describe('a process that shuts down', () => {
  it('accepts requests until its load balancer notices, and routes nothing more', async () => {
    const leaving = await startTestMarketplace({ yaml });
    const key = await leaving.supplierKey('acme');
    const announced = Promise.withResolvers<void>();
    const drained = leaving.runtime.drain({ announced: announced.promise });
    expect((await fetch(`${leaving.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${leaving.url}/healthz`)).status).toBe(200);
    const taken = await fetch(`${leaving.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(leadBody(1)),
    });
    expect([taken.status, taken.headers.get('connection')]).toEqual([202, 'close']);
    announced.resolve();
    await drained;
    const { rows } = await leaving.database.pool.query('SELECT count(*)::int AS waiting FROM routing_inbox');
    expect(rows).toEqual([{ waiting: 1 }]);
    await leaving.close();
  });

  it('removes its row and keeps its counts', async () => {
    const other = await startTestMarketplace({ yaml, role: 'worker', on: market.testDatabase, clock });
    await seen('both are alive', ({ processes }) => processes.length === 2);
    await other.close();
    const { rows } = await sql('SELECT role FROM process_report');
    expect(rows).toEqual([{ role: 'all' }]);
    const { rows: minutes } = await sql('SELECT sum(accepted)::int AS accepted FROM process_minute');
    expect(minutes).toEqual([{ accepted: 3 }]);
  });
});

describe('lost sales', () => {
  const found = async (kind: string): Promise<Json> => {
    const { warnings } = await seen(`${kind} is reported`, (json) => kinds(json).includes(kind));
    return (warnings as Json[]).find((warning) => warning.kind === kind);
  };
  const gone = (kind: string) => seen(`${kind} is over`, (json) => !kinds(json).includes(kind));
  /** The reason on the partner's page why its offer receives no leads. */
  const shown = async (): Promise<Json> => {
    const summit = await market.signedIn.buyer('summit');
    const { offers, ...account } = (await summit.get('/portal/api/buyer/offers')).json;
    return { ...account, stop: offers[0].stop };
  };

  it('are reported to operator and partner with amounts if funds are missing', async () => {
    expect((await shown()).stop).toBeNull();
    // Two leads were charged: 6.00 of this limit is left.
    await sql(`UPDATE buyer SET credit_limit_cents = 9600 WHERE buyer_key = 'summit'`);
    expect(await found('out_of_funds')).toMatchObject({
      severity: 'high',
      partner: 'summit',
      text: 'Summit Relief is out of funds: $6.00 available, price $45.00. 1 active offer receives nothing.',
    });
    expect(await shown()).toEqual({
      currency: 'USD',
      available: 6,
      leadsLeft: null,
      stop: { code: 'funds_missing', text: 'Out of funds: $6.00 available, price $45.00', resetsAt: null, since: null },
    });
    await sql(`UPDATE buyer SET credit_limit_cents = 9000 + 9000 WHERE buyer_key = 'summit'`);
    expect((await found('low_funds')).text).toBe(
      'Summit Relief will soon be out of funds: $90.00 left, enough for 2 leads.',
    );
    expect(await shown()).toMatchObject({ available: 90, leadsLeft: 2, stop: null });
    await sql(`UPDATE buyer SET credit_limit_cents = 100000000 WHERE buyer_key = 'summit'`);
    await gone('low_funds');
  });

  it('are reported with the number of affected offers if no address is set', async () => {
    await sql(`UPDATE buyer SET channels = '{webhook}' WHERE buyer_key = 'summit'`);
    expect(await found('partner_unreachable')).toMatchObject({
      severity: 'high',
      partner: 'summit',
      text: 'Summit Relief has no place to deliver: 1 active offer receives nothing.',
    });
    expect((await shown()).stop).toEqual({
      code: 'channel_not_ready',
      text: 'Nowhere to deliver: no webhook URL is set',
      resetsAt: null,
      since: null,
    });
    await sql(`UPDATE buyer SET channels = '{}' WHERE buyer_key = 'summit'`);
    await gone('partner_unreachable');
  });

  it('are reported with the reset time if a cap is full', async () => {
    await sql(`UPDATE offer SET definition = jsonb_set(definition, '{caps,daily}', '2') WHERE offer_key = 'summit-ca'`);
    expect(await found('caps_full')).toMatchObject({
      partner: 'summit',
      text: 'Summit Relief: 1 of 1 active offer has a full cap or a used budget.',
    });
    expect((await shown()).stop).toEqual({
      code: 'cap_reached',
      text: 'Cap full: 2 leads today',
      resetsAt: '2026-11-21T00:00:00.000Z',
      since: null,
    });
    await sql(
      `UPDATE offer SET definition = jsonb_set(definition, '{caps,daily}', 'null') WHERE offer_key = 'summit-ca'`,
    );
    await gone('caps_full');
  });

  it('are reported with share and reasons if leads find no buyer', async () => {
    await supplier.postAll(Array.from({ length: 20 }, (_, index) => leadBody(100 + index, { state: 'TX' })));
    await seen('all are decided', ({ today }) => today.unsold === 21);
    const { warnings } = await seen('the reasons are read anew', (json) =>
      (json.warnings as Json[]).some((warning) => (warning.text as string).includes('21 because no offer matched')),
    );
    const { text, severity } = (warnings as Json[]).find(({ kind }) => kind === 'leads_unsold');
    expect([severity, text]).toEqual([
      'high',
      'No buyer for 21 of the latest 23 leads (91%): 21 because no offer matched.',
    ]);
  });

  it('are reported with what the stopped offers would have paid', async () => {
    await sql(`UPDATE offer SET definition = jsonb_set(definition, '{caps,daily}', '2') WHERE offer_key = 'summit-ca'`);
    await sql(`UPDATE marketplace SET config_version = config_version + 1`);
    await found('caps_full');
    const before = (await seen('the flow', () => true)).today.unsold as number;
    await supplier.postAll([leadBody(200), leadBody(201)]);
    await seen('both are decided', ({ today }) => today.unsold === before + 2);
    const { text, money } = await eventually('the money is counted', async () => {
      const warning = await found('leads_unsold');
      return (warning.text as string).includes('caps') ? warning : null;
    });
    expect(text).toBe(
      'No buyer for 23 of the latest 25 leads (92%): 21 because no offer matched, 2 because caps or budgets were full ($90.00). About $90.00 of sales lost today.',
    );
    expect(money).toBe(90);
    await sql(
      `UPDATE offer SET definition = jsonb_set(definition, '{caps,daily}', 'null') WHERE offer_key = 'summit-ca'`,
    );
    await gone('caps_full');
  });

  it('are reported after a day without leads where leads are usual', async () => {
    await sql(
      `INSERT INTO lead_count (supplier_key, day, public_status, leads, scored, score_sum) VALUES ('acme', '2026-11-19', 'No Buyer', 1680, 0, 0)`,
    );
    clock.set('2026-11-20T15:30:30.000Z');
    expect((await found('no_leads')).text).toBe('No leads for 3 hours; about 10 an hour is usual.');
  });
});

describe('an acknowledged warning', () => {
  const name = { kind: 'no_leads', subject: '' };
  const shown = async (): Promise<Json> => {
    const operator = await market.signedIn.operator();
    const { json } = await operator.get('/console/api/health');
    return (json.warnings as Json[]).find(({ kind }) => kind === name.kind) ?? null;
  };
  const follow = () => followWarnings(market.database, clock);
  const rows = async () => (await sql('SELECT kind, acknowledged_by AS by FROM warning ORDER BY kind')).rows;
  const events = async () =>
    (
      await sql(
        `SELECT action, target, actor_name AS by, changes FROM audit_event WHERE action LIKE 'warning.%' ORDER BY audit_id`,
      )
    ).rows;

  it('says who acknowledged it and when, once, and is on record', async () => {
    await follow();
    expect(await rows()).toContainEqual({ kind: 'no_leads', by: null });
    const operator = await market.signedIn.operator();
    for (const path of ['acknowledge', 'acknowledge'])
      expect((await operator.send('POST', `/console/api/warnings/${path}`, name)).status).toBe(204);
    expect((await shown()).acknowledged).toEqual({ by: expect.any(String) as string, at: clock.now().toISOString() });
    expect(await events()).toEqual([
      {
        action: 'warning.acknowledged',
        target: 'no_leads',
        by: expect.any(String) as string,
        changes: { acknowledged: { from: false, to: true } },
      },
    ]);
  });

  it('can be reopened', async () => {
    const operator = await market.signedIn.operator();
    expect((await operator.send('POST', '/console/api/warnings/reopen', name)).status).toBe(204);
    expect((await shown()).acknowledged).toBeNull();
    expect((await events()).at(-1)).toMatchObject({ action: 'warning.reopened' });
    expect((await operator.send('POST', '/console/api/warnings/acknowledge', name)).status).toBe(204);
  });

  it('is gone when it is over, and not acknowledged when it comes again', async () => {
    await supplier.postAll([leadBody(300)]);
    await seen('a lead came', (json) => !kinds(json).includes('no_leads'));
    await follow();
    expect(await rows()).not.toContainEqual(expect.objectContaining({ kind: 'no_leads' }));
    clock.set('2026-11-20T19:30:30.000Z');
    await seen('none came again', (json) => kinds(json).includes('no_leads'));
    expect((await shown()).acknowledged).toBeNull();
  });

  it('needs the right to operate, and a name that a warning can have', async () => {
    const viewer = await market.signedIn.operator('viewer', 'read-only');
    expect((await viewer.send('POST', '/console/api/warnings/acknowledge', name)).status).toBe(403);
    const operator = await market.signedIn.operator();
    for (const body of [{ kind: 'No Leads', subject: '' }, { kind: 'no_leads' }, {}])
      expect((await operator.send('POST', '/console/api/warnings/acknowledge', body)).status).toBe(422);
  });
});
