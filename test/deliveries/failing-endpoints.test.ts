// Failing endpoints, step by step with a given clock: every waiting delivery ends, and no endpoint is left without a probe for longer than its
// breaker says.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { disableEndpoints } from '../../src/deliveries/sending/switch-endpoints.ts';
import type { StartedAttempt } from '../../src/deliveries/sending/begin-attempts.ts';
import type { AttemptResult, FinishReport } from '../../src/deliveries/sending/finish-attempts.ts';
import { requestRedelivery } from '../../src/deliveries/redelivery/request-redelivery.ts';
import { reviveDeliveries } from '../../src/routing/revive-deliveries.ts';
import { createMarketReader, type MarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace } from '../support/marketplace.ts';
import { startReceiver } from '../support/receiver.ts';
import { responded, beginDue, broke, finishWith, resultOf } from '../support/sendings.ts';
import { type StoredMarket, storeMarket } from '../support/stored-market.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOWHERE = 'http://127.0.0.1:9';
const OPENS_AFTER = 3;

const yamlOf = (channels: string, settings: string): string => `
marketplace: { breaker: { failures: ${OPENS_AFTER}, probeSeconds: 30 }, retrySeconds: [0, 10, 20, 40, 80] }
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - { key: summit, channels: [${channels}], settings: { ${settings} }, offers: [{ key: summit-offer, eventType: Lead Sale, payout: 40 }] }
  - { key: harbor, channels: [], offers: [{ key: harbor-offer, eventType: Lead Sale, payout: 30 }] }
`;
const hookOnly = yamlOf('webhook', `webhookUrl: "${NOWHERE}/old"`);

const open: Array<() => Promise<void>> = [];
let clock: HandClock;
let market: MarketReader;
let serial: number;
beforeEach(() => {
  clock = handClock('2026-11-18T12:00:00.000Z');
  market = createMarketReader();
  serial = 0;
});
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** Messages are sent only by the test. */
async function openMarket(yaml: string, allowTargets: readonly string[] = [NOWHERE]): Promise<StoredMarket> {
  const marketplace = await storeMarket({ yaml, allowTargets, clock });
  open.push(() => marketplace.close());
  return marketplace;
}

async function sell(marketplace: StoredMarket, leads: number): Promise<void> {
  await marketplace.submit(Array.from({ length: leads }, () => leadBody(++serial, { consent_timestamp: undefined })));
  await route(marketplace);
}

const route = ({ database }: StoredMarket): Promise<unknown> =>
  database.tx((tx) => routeLeads(tx, { market, limit: 500, lockFirst: false }, clock.now()));
const begin = ({ database }: StoredMarket, jobs = 16): Promise<StartedAttempt[]> =>
  database.tx((tx) => beginDue(tx, clock.now(), jobs));
const finish = ({ database }: StoredMarket, ...results: readonly AttemptResult[]): Promise<FinishReport> =>
  database.tx((tx) => finishWith(tx, results, clock.now(), OPENS_AFTER));

/** Fails with a refused connection, and waits this many seconds. */
function failed(attempt: StartedAttempt, waitSeconds = 0): AttemptResult {
  const dueAt = new Date(clock.now().getTime() + waitSeconds * SECOND);
  const { steps, uncertain, isProbe } = attempt.job;
  const judgement = { kind: 'retry', dueAt, steps: steps + (isProbe ? 0 : 1), uncertain: uncertain - 1 } as const;
  return resultOf(attempt, broke('no'), judgement);
}
const gone = (attempt: StartedAttempt): AttemptResult =>
  resultOf(attempt, responded(410), { kind: 'failed', certain: true, endpointGone: true });
const taken = (attempt: StartedAttempt): AttemptResult => resultOf(attempt, responded(200), { kind: 'delivered' });

async function breakEndpoint(marketplace: StoredMarket, waitSeconds = 0): Promise<void> {
  await sell(marketplace, OPENS_AFTER);
  await finish(marketplace, ...(await begin(marketplace)).map((attempt) => failed(attempt, waitSeconds)));
  expect(await health(marketplace)).toMatchObject([{ isOpen: true }]);
}

const health = ({ database }: StoredMarket): Promise<Array<{ failures: number; isOpen: boolean }>> =>
  select(
    database,
    `SELECT failures, opened_at IS NOT NULL AS "isOpen" FROM endpoint_health WHERE owner_key = 'summit' ORDER BY channel`,
  );
const claimStatuses = ({ database }: StoredMarket): Promise<unknown> =>
  select(database, 'SELECT buyer_key AS buyer, status, count(*)::int AS n FROM delivery GROUP BY 1, 2 ORDER BY 1, 2');

describe('The breaker of an endpoint', () => {
  it.each([
    ['forward', HOUR],
    ['back', -HOUR],
  ])('probes on time although it opened while the clock had jumped %s', async (_way, jump) => {
    const marketplace = await openMarket(hookOnly);
    clock.advance(jump);
    await breakEndpoint(marketplace);
    clock.advance(-jump);
    await sell(marketplace, 1);
    clock.advance(31 * SECOND);
    const [probe, ...others] = await begin(marketplace);
    expect([probe?.job.isProbe, others]).toEqual([true, []]);
    // The time of its opening is then known again.
    await finish(marketplace, ...(probe === undefined ? [] : [failed(probe)]));
    const [row] = await select<{ isPast: boolean }>(
      marketplace.database,
      'SELECT opened_at <= $1 AS "isPast" FROM endpoint_health',
      [clock.now()],
    );
    expect(row).toEqual({ isPast: true });
  });

  it('ends one outage and begins another when one batch of results closes and opens it again', async () => {
    const marketplace = await openMarket(hookOnly);
    await sell(marketplace, 8);
    const attempts = await begin(marketplace);
    await finish(marketplace, ...attempts.slice(0, 4).map((attempt) => failed(attempt)));
    clock.advance(MINUTE);
    const [first, ...rest] = attempts.slice(4);
    await finish(
      marketplace,
      ...(first === undefined ? [] : [taken(first)]),
      ...rest.map((attempt) => failed(attempt)),
    );
    expect(
      await select(
        marketplace.database,
        `SELECT o.closed_at IS NULL AS "isOpen", o.opened_at = h.opened_at AS "isThis"
         FROM endpoint_outage o JOIN endpoint_health h USING (owner_kind, owner_key, channel) ORDER BY o.opened_at`,
      ),
    ).toEqual([
      { isOpen: false, isThis: false },
      { isOpen: true, isThis: true },
    ]);
  });

  it('lets a lead through as a probe when all waiting jobs are due later than leads may wait', async () => {
    const marketplace = await openMarket(hookOnly);
    await breakEndpoint(marketplace, 10 * 3600);
    clock.advance(16 * MINUTE);
    await sell(marketplace, 1);
    expect(await begin(marketplace)).toMatchObject([{ buyerKey: 'summit', job: { isProbe: true } }]);
    // That lead waits now, and other leads need not be probes.
    await sell(marketplace, 1);
    expect(await claimStatuses(marketplace)).toMatchObject([
      { buyer: 'harbor', status: 'Confirmed', n: 1 },
      { buyer: 'summit', n: 4 },
    ]);
  });

  it('is reset when a marketplace file changes the endpoint’s address, and only then', async () => {
    const marketplace = await openMarket(hookOnly);
    await breakEndpoint(marketplace);
    await marketplace.apply(
      hookOnly.replace('payout: 40', 'payout: 41').replace('channels: [webhook]', 'channels: [webhook], timeZone: UTC'),
    );
    expect(await health(marketplace)).toMatchObject([{ isOpen: true }]);
    await marketplace.apply(hookOnly.replace('/old', '/new'));
    expect(await health(marketplace)).toEqual([]);
    expect(await select(marketplace.database, 'SELECT FROM endpoint_outage WHERE closed_at IS NULL')).toEqual([]);
    expect(await begin(marketplace)).toHaveLength(OPENS_AFTER);
  });
});

describe('A disabled endpoint', () => {
  it('does not keep waiting deliveries, even if results arrive late', async () => {
    const marketplace = await openMarket(hookOnly);
    await sell(marketplace, 10);
    const attempts = await begin(marketplace, 5);
    const [first, ...late] = attempts;
    await finish(marketplace, ...(first === undefined ? [] : [gone(first)]));
    const since = clock.now();
    const endpoint = { buyerKey: 'summit', webhookUrl: `${NOWHERE}/old`, reason: 'gone', since } as const;
    await marketplace.database.tx((tx) => disableEndpoints(tx, [endpoint, endpoint], since));
    await finish(marketplace, ...late.map(gone));
    expect(await begin(marketplace)).toHaveLength(5);
    expect(await select(marketplace.database, `SELECT FROM notice WHERE kind = 'endpoint.disabled'`)).toHaveLength(1);
  });
});

describe('One endpoint queue', () => {
  it('sends sales before redeliveries and copies', async () => {
    const marketplace = await openMarket(
      yamlOf('webhook, sheets_script', `webhookUrl: "${NOWHERE}", sheetsWebhookUrl: "${NOWHERE}"`),
    );
    await sell(marketplace, 20);
    await finish(marketplace, ...(await begin(marketplace, 200)).map(taken));
    const rows = await select<{ id: StartedAttempt['deliveryId'] }>(
      marketplace.database,
      'SELECT delivery_id AS id FROM delivery',
    );
    const input = {
      deliveryIds: rows.map(({ id }) => id),
      buyerKey: null,
      actor: commandLineActor,
      origin: noOrigin,
      revive: reviveDeliveries,
    };
    await marketplace.database.tx((tx) => requestRedelivery(tx, input, clock.now()));
    clock.advance(MINUTE);
    await sell(marketplace, 2);
    const purposes = (await begin(marketplace, 4)).map(({ channel, purpose }) => `${channel} ${purpose}`).toSorted();
    expect(purposes).toEqual([
      ...Array.from({ length: 4 }, () => 'sheets_script copy'),
      ...Array.from({ length: 2 }, () => 'webhook replay'),
      ...Array.from({ length: 2 }, () => 'webhook sale'),
    ]);
  });
});

describe('Workers', () => {
  /** Runs on the service's own database, when all is prepared. */
  async function work(
    marketplace: StoredMarket,
    yaml: string,
    allowTargets: readonly string[] = [NOWHERE],
  ): Promise<void> {
    const worker = await startTestMarketplace({
      yaml,
      allowTargets,
      clock,
      role: 'worker',
      on: marketplace.testDatabase,
    });
    open.push(() => worker.close());
  }

  /** Advances by an hour at a time until no job is left. */
  const inTime = (marketplace: StoredMarket, what: string, sql: string): Promise<unknown> =>
    eventually(what, async () => {
      clock.advance(HOUR);
      return (await select(marketplace.database, sql)).length === 0;
    });

  it('end deliveries that wait for a channel that has failed for a day, and their leads go to other buyers', async () => {
    // No account for SMS is configured.
    const yaml = yamlOf('sms', 'smsNumber: "+15555550100"');
    const marketplace = await openMarket(yaml);
    await breakEndpoint(marketplace);
    clock.advance(24 * HOUR);
    await work(marketplace, yaml);
    await inTime(
      marketplace,
      'nothing waits',
      `SELECT FROM delivery WHERE buyer_key = 'summit' AND status = 'Pending'`,
    );
    await eventually('all are with the other', async () =>
      JSON.stringify(await claimStatuses(marketplace)).includes('{"buyer":"harbor","status":"Confirmed","n":3}'),
    );
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
  });

  it('end deliveries that wait for a webhook whose URL was removed', async () => {
    const marketplace = await openMarket(hookOnly);
    await breakEndpoint(marketplace);
    const without = yamlOf('', 'webhookUrl: null');
    await marketplace.apply(without);
    await work(marketplace, without);
    await inTime(
      marketplace,
      'nothing waits',
      `SELECT FROM delivery WHERE buyer_key = 'summit' AND status = 'Pending'`,
    );
    expect(await ledgerFaults(marketplace.database, { atRest: false })).toEqual([]);
  });

  it('count one failed call with many deliveries as one failure', async () => {
    // No account for sheets is configured.
    const yaml = yamlOf('sheets', 'sheetsSpreadsheetId: "1aB"');
    const marketplace = await openMarket(yaml);
    await sell(marketplace, 3 * OPENS_AFTER);
    await work(marketplace, yaml);
    const ended = `SELECT FROM attempt WHERE state = 'failed'`;
    await eventually(
      'all have failed',
      async () => (await select(marketplace.database, ended)).length === 3 * OPENS_AFTER,
    );
    expect(await health(marketplace)).toEqual([{ failures: 1, isOpen: false }]);
  });

  it('do not count a message that cannot be built against the endpoint', async () => {
    const receiver = await startReceiver({ respond: () => ({ status: 200 }) });
    open.push(() => receiver.close());
    const yaml = yamlOf('webhook', `webhookUrl: "${receiver.origin}"`);
    const marketplace = await openMarket(yaml, [receiver.origin]);
    await sell(marketplace, OPENS_AFTER + 1);
    await select(marketplace.database, `UPDATE lead SET fields = '{'`);
    await work(marketplace, yaml, [receiver.origin]);
    await eventually(
      'all were looked at',
      async () =>
        (await select(marketplace.database, `SELECT FROM attempt WHERE state = 'failed'`)).length > OPENS_AFTER,
    );
    expect(await health(marketplace)).toEqual([]);
  });

  it('send no copies to a removed channel', async () => {
    const receiver = await startReceiver({ respond: () => ({ status: 200 }) });
    open.push(() => receiver.close());
    const settings = `webhookUrl: "${NOWHERE}", sheetsWebhookUrl: "${receiver.origin}"`;
    const allowed = [NOWHERE, receiver.origin];
    const marketplace = await openMarket(yamlOf('webhook, sheets_script', settings), allowed);
    await sell(marketplace, 2);
    await finish(marketplace, ...(await begin(marketplace)).map(taken));
    await marketplace.apply(yamlOf('webhook', settings));
    await work(marketplace, yamlOf('webhook', settings), allowed);
    await eventually(
      'nothing waits',
      async () => (await select(marketplace.database, 'SELECT FROM send_job')).length === 0,
    );
    expect(receiver.requests).toEqual([]);
  });
});
