// Breakers of failing endpoints, and copies to a partner's other channels, through the whole service with real receivers.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

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
import { type Reply, startReceiver } from '../support/receiver.ts';
import { responded, beginDue, finishWith, resultOf } from '../support/sendings.ts';
import { openSharedMarket, ownKeys, type SharedMarket } from '../support/shared-market.ts';
import { storeMarket } from '../support/stored-market.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = '2026-11-18T12:00:00.000Z';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

let clock: HandClock;
let shared: SharedMarket;
beforeAll(async () => {
  clock = handClock(START);
  shared = await openSharedMarket({ clock });
});
afterAll(() => shared?.close());

type Names = { readonly summit: string; readonly harbor: string };

/** Summit pays most; harbor gets the leads that summit does not get. */
const yamlOf = (url: string, { summit, harbor }: Names): string => `
marketplace: { retrySeconds: [0, 10, 20, 40, 80, 160, 320, 640], breaker: { failures: 3, probeSeconds: 30 }, holdMinutes: 15 }
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - { key: ${summit}, channels: [webhook], settings: { webhookUrl: "${url}", notificationEmail: leads@summit.example },
      offers: [{ key: ${summit}-offer, eventType: Lead Sale, payout: 40 }] }
  - { key: ${harbor}, channels: [], offers: [{ key: ${harbor}-offer, eventType: Lead Sale, payout: 30 }] }
`;

/** Opens the shared marketplace to two partners; summit has this endpoint. */
async function openTo(url: string): Promise<Names> {
  const names = ownKeys('summit', 'harbor');
  await shared.apply(yamlOf(url, names), { prune: true });
  return names;
}

const sell = (): Promise<string> => shared.sell({ consent_timestamp: undefined });

type HealthRow = { failures: number; isOpen: boolean };
const health = async (summit: string, { database }: TestMarketplace = shared): Promise<HealthRow | null> =>
  (
    await select<HealthRow>(
      database,
      'SELECT failures, opened_at IS NOT NULL AS "isOpen" FROM endpoint_health WHERE owner_key = $1',
      [summit],
    )
  )[0] ?? null;
/** The jobs that wait for summit. */
const jobs = (
  summit: string,
  { database }: TestMarketplace = shared,
): Promise<Array<{ attempts: number; steps: number }>> =>
  select(
    database,
    'SELECT attempts, steps FROM send_job WHERE buyer_key = $1 AND attempt_id IS NULL ORDER BY delivery_id',
    [summit],
  );
const once = (leadId: string, ...deliveries: string[]): Promise<unknown> =>
  eventually(`the lead is ${deliveries.join()}`, async () => {
    const shown = await shared.trace(leadId);
    const seen = shown.deliveries.map(({ partner, status }) => `${partner} ${status}`);
    return seen.join() === deliveries.join() ? shown : null;
  });
const onceOpen = async (summit: string, market: TestMarketplace = shared): Promise<void> => {
  await eventually('the breaker is open', async () => (await health(summit, market))?.isOpen === true);
  await eventually('all three wait', async () => (await jobs(summit, market)).length === 3);
};

describe('An endpoint that fails three times in a row', () => {
  it('gets one probe every 30 s, which uses up no retry step, and all deliveries once it works again', async () => {
    let reply: Reply = { status: 500 };
    const receiver = await shared.receive(() => reply);
    const { summit } = await openTo(receiver.origin);
    const leads = [await sell(), await sell(), await sell()];
    await onceOpen(summit);
    expect(receiver.requests).toHaveLength(3);
    expect(await jobs(summit)).toEqual([1, 1, 1].map((attempts) => ({ attempts, steps: 1 })));

    // Their next steps are long overdue, and there is still only one probe in 30 s.
    for (const probes of [1, 2, 3]) {
      clock.advance(31 * SECOND);
      await eventually(`probe ${probes}`, async () => {
        const waiting = await jobs(summit);
        return waiting.length === 3 && waiting.reduce((sum, job) => sum + job.attempts, 0) === 3 + probes;
      });
    }
    expect(receiver.requests).toHaveLength(6);
    expect((await jobs(summit)).map((job) => job.steps)).toEqual([1, 1, 1]);

    // A current lead is still sold there: the breaker has been open for less than leads may wait.
    leads.push(await sell());
    await once(leads[3] ?? '', `${summit} Pending`);
    expect(receiver.requests).toHaveLength(6);

    reply = { status: 200 };
    clock.advance(31 * SECOND);
    for (const leadId of leads) await once(leadId, `${summit} Confirmed`);
    expect(await health(summit)).toBeNull();
    expect(
      await select(
        shared.database,
        'SELECT closed_at > opened_at AS "isClosed" FROM endpoint_outage WHERE owner_key = $1',
        [summit],
      ),
    ).toEqual([{ isClosed: true }]);
    expect(await ledgerFaults(shared.database)).toEqual([]);
  });

  it('gets no new leads once it has failed for longer than leads may wait, except one as a probe if no job waits', async () => {
    let reply: Reply = { status: 500 };
    const receiver = await shared.receive(() => reply);
    const { summit, harbor } = await openTo(receiver.origin);
    const start = clock.now().toISOString();
    const waiting = [await sell(), await sell(), await sell()];
    await onceOpen(summit);
    clock.advance(15 * MINUTE);
    await eventually('a probe has failed', () => receiver.requests.length === 4);
    const leadId = await sell();
    await once(leadId, `${harbor} Confirmed`);
    const shown = await shared.trace(leadId);
    expect(shown.decision?.offers.filter(({ partnerKey }) => [summit, harbor].includes(partnerKey))).toMatchObject([
      { offerKey: `${summit}-offer`, code: 'endpoint_failing', got: start },
      { offerKey: `${harbor}-offer`, code: 'sold' },
    ]);
    // No delivery waits, so that no probe would ever be sent.
    await eventually('all three wait', async () => (await jobs(summit)).length === 3);
    const [removed] = await select<{ jobs: string }>(
      shared.database,
      `WITH removed AS (DELETE FROM send_job WHERE buyer_key = $1 RETURNING *)
       SELECT json_agg(removed)::text AS jobs FROM removed`,
      [summit],
    );
    const probe = await sell();
    await once(probe, `${summit} Pending`);

    await select(
      shared.database,
      'INSERT INTO send_job SELECT * FROM json_populate_recordset(NULL::send_job, $1::json)',
      [removed?.jobs],
    );
    reply = { status: 200 };
    clock.advance(HOUR);
    for (const sold of [...waiting, probe]) await once(sold, `${summit} Confirmed`);
    expect(await ledgerFaults(shared.database)).toEqual([]);
  });

  it('stays behind its breaker for other workers and after a restart', async () => {
    const receiver = await startReceiver({ respond: () => ({ status: 500 }) });
    open.push(() => receiver.close());
    const on = await createTestDatabase();
    open.push(() => on.drop());
    const names = ownKeys('summit', 'harbor');
    const options = { yaml: yamlOf(receiver.origin, names), allowTargets: [receiver.origin], clock };
    const first = await startTestMarketplace({ ...options, on });
    const supplier = connectSupplier(first.url, { key: await first.supplierKey('acme'), connections: 4 });
    for (let serial = 1; serial <= 3; serial += 1) {
      await supplier.post(leadBody(serial, { consent_timestamp: undefined }));
    }
    await onceOpen(names.summit, first);
    await supplier.close();
    await first.close();
    clock.advance(29 * SECOND);
    const one = await startTestMarketplace({ ...options, on });
    const two = await startTestMarketplace({ ...options, on });
    open.push(() => one.close());
    open.push(() => two.close());
    clock.advance(2 * SECOND);
    await eventually('one of them has asked', () => receiver.requests.length >= 4);
    await eventually('all three wait', async () => (await jobs(names.summit, one)).length === 3);
    expect(receiver.requests).toHaveLength(4);
  });

  it('is disabled after a day of failures: its partner is notified, and waiting leads go to other buyers', async () => {
    const closed = await shared.receive();
    await closed.close();
    const { summit, harbor } = await openTo(closed.origin);
    const leads = [await sell(), await sell(), await sell()];
    await onceOpen(summit);
    clock.advance(24 * HOUR);
    // No process was listening there, so the leads certainly were not received.
    for (const leadId of leads) await once(leadId, `${summit} Failed`, `${harbor} Confirmed`);
    expect(
      await select(shared.database, 'SELECT kind FROM notice WHERE recipient_key = $1 ORDER BY notice_id', [summit]),
    ).toEqual([{ kind: 'endpoint.failing' }, { kind: 'endpoint.disabled' }]);
    expect(await health(summit)).toBeNull();
    expect(
      await select(shared.database, `SELECT action FROM audit_event WHERE action LIKE 'endpoint%' AND target = $1`, [
        summit,
      ]),
    ).toEqual([{ action: 'endpoint.disabled' }]);
    expect(await ledgerFaults(shared.database)).toEqual([]);
  });
});

/** Without workers: the test runs each step. */
async function openIdle(channels: string, at: HandClock): Promise<Idle> {
  const origin = 'http://127.0.0.1:9';
  const yaml = `
suppliers: [{ key: acme, status: approved }]
partners:
  - { key: summit, channels: [${channels}], settings: { webhookUrl: "${origin}/hook", sheetsWebhookUrl: "${origin}/script" },
      offers: [{ key: summit-offer, eventType: Lead Sale, payout: 40 }] }
`;
  const marketplace = await storeMarket({ yaml, allowTargets: [origin], clock: at });
  open.push(() => marketplace.close());
  await marketplace.submit([leadBody(1, { consent_timestamp: undefined })]);
  const market = createMarketReader();
  await marketplace.database.tx((tx) => routeLeads(tx, { market, limit: 10, lockFirst: false }, at.now()));
  return {
    database: marketplace.database,
    begin: () => marketplace.database.tx((tx) => beginDue(tx, at.now(), 10)),
    finish: (...results) => marketplace.database.tx((tx) => finishWith(tx, results, at.now())),
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
    const paused = handClock(START);
    const { database, begin, finish } = await openIdle('webhook', paused);
    const until = new Date(paused.now().getTime() + MINUTE);
    await finish(resultOf(only(await begin()), { kind: 'deferred', until }, { kind: 'deferred', dueAt: until }));
    expect(await select(database, 'SELECT FROM attempt')).toEqual([]);
    expect(await select(database, 'SELECT attempts, steps, uncertain, due_at AS due FROM send_job')).toEqual([
      { attempts: 0, steps: 0, uncertain: 0, due: until },
    ]);
    expect(await begin()).toEqual([]);
    paused.advance(MINUTE);
    expect(await begin()).toHaveLength(1);
  });
});
