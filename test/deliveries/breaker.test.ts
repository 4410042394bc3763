// Breakers of failing endpoints, and copies to a partner's other channels, through the whole service with real receivers.
import { afterEach, describe, expect, it } from 'vitest';

import type { StartedAttempt } from '../../src/deliveries/sending/begin-attempts.ts';
import type { AttemptResult, FinishReport } from '../../src/deliveries/sending/finish-attempts.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createMarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, type Reply, startReceiver } from '../support/receiver.ts';
import { responded, beginDue, finishWith, resultOf } from '../support/sendings.ts';
import { traceOf } from '../support/trace.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = '2026-11-18T12:00:00.000Z';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function receive(respond: () => Reply): Promise<Receiver> {
  const receiver = await startReceiver({ respond });
  open.push(() => receiver.close());
  return receiver;
}

/** Summit pays most; harbor gets the leads that summit does not get. */
const yamlOf = (summit: string, more = ''): string => `
marketplace: { retrySeconds: [0, 10, 20, 40, 80, 160, 320, 640], breaker: { failures: 3, probeSeconds: 30 }, holdMinutes: 15 ${more} }
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - { key: summit, channels: [webhook], settings: { webhookUrl: "${summit}", notificationEmail: leads@summit.example },
      offers: [{ key: summit-offer, eventType: Lead Sale, payout: 40 }] }
  - { key: harbor, channels: [], offers: [{ key: harbor-offer, eventType: Lead Sale, payout: 30 }] }
`;

type Market = TestMarketplace & { sell(): Promise<string> };

async function openMarket(yaml: string, allowTargets: readonly string[], clock: HandClock): Promise<Market> {
  const marketplace = await startTestMarketplace({ yaml, allowTargets, clock });
  const supplier = connectSupplier(marketplace.url, { key: await marketplace.supplierKey('acme'), connections: 4 });
  open.push(async () => {
    await supplier.close();
    await marketplace.close();
  });
  let serial = 0;
  return {
    ...marketplace,
    async sell() {
      const { status, json } = await supplier.post(leadBody(++serial, { consent_timestamp: undefined }));
      expect(status).toBe(202);
      return json.lead_id;
    },
  };
}

type HealthRow = { failures: number; isOpen: boolean };
const health = async ({ database }: TestMarketplace): Promise<HealthRow | null> =>
  (await select<HealthRow>(database, 'SELECT failures, opened_at IS NOT NULL AS "isOpen" FROM endpoint_health'))[0] ??
  null;
const jobs = ({ database }: TestMarketplace): Promise<Array<{ attempts: number; steps: number }>> =>
  select(database, 'SELECT attempts, steps FROM send_job WHERE attempt_id IS NULL ORDER BY delivery_id');
const once = (marketplace: Market, leadId: string, ...deliveries: string[]): Promise<unknown> =>
  eventually(`the lead is ${deliveries.join()}`, async () => {
    const shown = await traceOf(marketplace.database, leadId);
    const seen = shown.deliveries.map(({ partner, status }) => `${partner} ${status}`);
    return seen.join() === deliveries.join() ? shown : null;
  });

describe('An endpoint that fails three times in a row', () => {
  it('gets one probe every 30 s, which uses up no retry step, and all deliveries once it works again', async () => {
    const clock = handClock(START);
    let reply: Reply = { status: 500 };
    const receiver = await receive(() => reply);
    const marketplace = await openMarket(yamlOf(receiver.origin), [receiver.origin], clock);
    const leads = [await marketplace.sell(), await marketplace.sell(), await marketplace.sell()];
    await eventually('the breaker is open', async () => (await health(marketplace))?.isOpen === true);
    await eventually('all three wait', async () => (await jobs(marketplace)).length === 3);
    expect(receiver.requests).toHaveLength(3);
    expect(await jobs(marketplace)).toEqual([1, 1, 1].map((attempts) => ({ attempts, steps: 1 })));

    // Their next steps are long overdue, and there is still only one probe in 30 s.
    for (const probes of [1, 2, 3]) {
      clock.advance(31 * SECOND);
      await eventually(`probe ${probes}`, async () => {
        const waiting = await jobs(marketplace);
        return waiting.length === 3 && waiting.reduce((sum, job) => sum + job.attempts, 0) === 3 + probes;
      });
    }
    expect(receiver.requests).toHaveLength(6);
    expect((await jobs(marketplace)).map((job) => job.steps)).toEqual([1, 1, 1]);

    // A current lead is still sold there: the breaker has been open for less than leads may wait.
    leads.push(await marketplace.sell());
    await once(marketplace, leads[3] ?? '', 'summit Pending');
    expect(receiver.requests).toHaveLength(6);

    reply = { status: 200 };
    clock.advance(31 * SECOND);
    for (const leadId of leads) await once(marketplace, leadId, 'summit Confirmed');
    expect(await health(marketplace)).toBeNull();
    expect(
      await select(marketplace.database, 'SELECT closed_at > opened_at AS "isClosed" FROM endpoint_outage'),
    ).toEqual([{ isClosed: true }]);
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
  });

  it('gets no new leads once it has failed for longer than leads may wait, except one as a probe if no job waits', async () => {
    const clock = handClock(START);
    const receiver = await receive(() => ({ status: 500 }));
    const marketplace = await openMarket(yamlOf(receiver.origin), [receiver.origin], clock);
    for (let count = 0; count < 3; count += 1) await marketplace.sell();
    await eventually('the breaker is open', async () => (await health(marketplace))?.isOpen === true);
    await eventually('all three wait', async () => (await jobs(marketplace)).length === 3);
    clock.advance(15 * MINUTE);
    await eventually('a probe has failed', () => receiver.requests.length === 4);
    const leadId = await marketplace.sell();
    await once(marketplace, leadId, 'harbor Confirmed');
    const shown = await traceOf(marketplace.database, leadId);
    expect(shown.decision?.offers).toMatchObject([
      { offerKey: 'summit-offer', code: 'endpoint_failing', got: START },
      { offerKey: 'harbor-offer', code: 'sold' },
    ]);
    // No delivery waits, so that no probe would ever be sent.
    await eventually('all three wait', async () => (await jobs(marketplace)).length === 3);
    await select(marketplace.database, 'DELETE FROM send_job');
    await once(marketplace, await marketplace.sell(), 'summit Pending');
  });

  it('stays behind its breaker for other workers and after a restart', async () => {
    const clock = handClock(START);
    const receiver = await receive(() => ({ status: 500 }));
    const on = await createTestDatabase();
    open.push(() => on.drop());
    const options = { yaml: yamlOf(receiver.origin), allowTargets: [receiver.origin], clock, on };
    const first = await startTestMarketplace(options);
    const supplier = connectSupplier(first.url, { key: await first.supplierKey('acme'), connections: 4 });
    for (let serial = 1; serial <= 3; serial += 1) {
      await supplier.post(leadBody(serial, { consent_timestamp: undefined }));
    }
    await eventually('the breaker is open', async () => (await health(first))?.isOpen === true);
    await eventually('all three wait', async () => (await jobs(first)).length === 3);
    await supplier.close();
    await first.close();
    clock.advance(29 * SECOND);
    const [one, two] = [await startTestMarketplace(options), await startTestMarketplace(options)];
    open.push(() => one.close());
    open.push(() => two.close());
    clock.advance(2 * SECOND);
    await eventually('one of them has asked', () => receiver.requests.length >= 4);
    await eventually('all three wait', async () => (await jobs(one)).length === 3);
    expect(receiver.requests).toHaveLength(4);
  });

  it('is disabled after a day of failures: its partner is notified, and waiting leads go to other buyers', async () => {
    const clock = handClock(START);
    const closed = await receive(() => 'reset');
    const origin = closed.origin;
    await closed.close();
    const marketplace = await openMarket(yamlOf(origin), [origin], clock);
    const leads = [await marketplace.sell(), await marketplace.sell(), await marketplace.sell()];
    await eventually('the breaker is open', async () => (await health(marketplace))?.isOpen === true);
    await eventually('all three wait', async () => (await jobs(marketplace)).length === 3);
    clock.advance(24 * HOUR);
    // No process was listening there, so the leads certainly were not received.
    for (const leadId of leads) await once(marketplace, leadId, 'summit Failed', 'harbor Confirmed');
    expect(
      await select(marketplace.database, `SELECT kind, recipient_key AS to FROM notice ORDER BY notice_id`),
    ).toEqual([
      { kind: 'endpoint.failing', to: 'summit' },
      { kind: 'endpoint.disabled', to: 'summit' },
    ]);
    expect(await health(marketplace)).toBeNull();
    expect(await select(marketplace.database, `SELECT action FROM audit_event WHERE action LIKE 'endpoint%'`)).toEqual([
      { action: 'endpoint.disabled' },
    ]);
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
  });
});

/** Without workers: the test runs each step. */
async function openIdle(channels: string, clock: HandClock): Promise<Idle> {
  const origin = 'http://127.0.0.1:9';
  const yaml = `
suppliers: [{ key: acme, status: approved }]
partners:
  - { key: summit, channels: [${channels}], settings: { webhookUrl: "${origin}/hook", sheetsWebhookUrl: "${origin}/script" },
      offers: [{ key: summit-offer, eventType: Lead Sale, payout: 40 }] }
`;
  const marketplace = await startTestMarketplace({ yaml, allowTargets: [origin], clock, role: 'api' });
  open.push(() => marketplace.close());
  const supplier = connectSupplier(marketplace.url, { key: await marketplace.supplierKey('acme'), connections: 1 });
  await supplier.post(leadBody(1, { consent_timestamp: undefined }));
  await supplier.close();
  const market = createMarketReader();
  await marketplace.database.tx((tx) => routeLeads(tx, { market, limit: 10, lockFirst: false }, clock.now()));
  return {
    database: marketplace.database,
    begin: () => marketplace.database.tx((tx) => beginDue(tx, clock.now(), 10)),
    finish: (...results) => marketplace.database.tx((tx) => finishWith(tx, results, clock.now())),
  };
}

type Idle = {
  readonly database: Database;
  begin(): Promise<StartedAttempt[]>;
  finish(...results: readonly AttemptResult[]): Promise<FinishReport>;
};

function only(attempts: readonly StartedAttempt[]): StartedAttempt {
  const [attempt] = attempts;
  if (attempt === undefined || attempts.length > 1) throw new Error(`${attempts.length} attempts are due`);
  return attempt;
}

describe('A partner with several channels', () => {
  it('gets copies once the first channel has accepted the lead, and their results do not change the delivery', async () => {
    const { database, begin, finish } = await openIdle('webhook, sheets_script', handClock(START));
    const status = (): Promise<unknown> => select(database, 'SELECT status FROM delivery');
    const sale = only(await begin());
    expect([sale.channel, sale.purpose]).toEqual(['webhook', 'sale']);
    expect(await finish(resultOf(sale, responded(200), { kind: 'delivered' }))).toMatchObject({
      confirmed: 1,
      isMoreDue: true,
    });
    expect(await status()).toEqual([{ status: 'Confirmed' }]);

    const copy = only(await begin());
    expect([copy.channel, copy.purpose]).toEqual(['sheets_script', 'copy']);
    const failure = { kind: 'failed', certain: true, endpointGone: false } as const;
    expect(await finish(resultOf(copy, responded(400), failure))).toMatchObject({
      confirmed: 0,
      failed: 0,
      rerouted: [],
    });
    expect(await status()).toEqual([{ status: 'Confirmed' }]);
    expect(await begin()).toEqual([]);
    expect(await select(database, 'SELECT channel, state FROM attempt ORDER BY attempt_id')).toEqual([
      { channel: 'webhook', state: 'succeeded' },
      { channel: 'sheets_script', state: 'exhausted' },
    ]);
    expect(await ledgerFaults(database)).toEqual([]);
  });

  it('gets no copies of a lead that its first channel never accepted', async () => {
    const { begin, finish } = await openIdle('webhook, sheets_script', handClock(START));
    const failure = { kind: 'failed', certain: false, endpointGone: false } as const;
    await finish(resultOf(only(await begin()), responded(500), failure));
    expect(await begin()).toEqual([]);
  });
});

describe('An attempt that our own rate limit defers', () => {
  it('is due when the limit ends, and is not logged', async () => {
    const clock = handClock(START);
    const { database, begin, finish } = await openIdle('webhook', clock);
    const until = new Date(clock.now().getTime() + MINUTE);
    await finish(resultOf(only(await begin()), { kind: 'deferred', until }, { kind: 'deferred', dueAt: until }));
    expect(await select(database, 'SELECT FROM attempt')).toEqual([]);
    expect(await select(database, 'SELECT attempts, steps, uncertain, due_at AS due FROM send_job')).toEqual([
      { attempts: 0, steps: 0, uncertain: 0, due: until },
    ]);
    expect(await begin()).toEqual([]);
    clock.advance(MINUTE);
    expect(await begin()).toHaveLength(1);
  });
});
