// Deliveries to endpoints that fail in every way, through the whole service with real receivers.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type DeliveryId, typeId, uuidOf } from '../../src/base/ids.ts';
import { registerEndpointCommands } from '../../src/buyers/buyers.cli.ts';
import { disableEndpoints } from '../../src/buyers/set-endpoint.ts';
import { rotateSigningSecret } from '../../src/credentials/signing-secrets.ts';
import { failDeliveries } from '../../src/deliveries/settle-deliveries.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { lockConfigVersion } from '../../src/marketplace/config-version.ts';
import type { Tx } from '../../src/platform/database/database.ts';
import type { LeadTrace } from '../../src/routing/trace-lead.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import type { TestMarketplace } from '../support/marketplace.ts';
import type { ReceivedRequest, Reply } from '../support/receiver.ts';
import { onServer } from '../support/server.ts';
import { openSharedMarket, ownKeys, type SharedMarket } from '../support/shared-market.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Respond = (request: ReceivedRequest) => Reply | Promise<Reply>;

/** Most tests leave the clock alone; the others move that of `moving`. */
let running: SharedMarket;
let moving: SharedMarket & { readonly clock: HandClock };
beforeAll(async () => {
  running = await openSharedMarket();
  const clock = handClock(new Date().toISOString());
  moving = { ...(await openSharedMarket({ clock })), clock };
});
afterAll(async () => {
  await running?.close();
  await moving?.close();
});

type Partner = { readonly key: string; readonly url?: string; readonly states?: string; readonly sale?: string };

/**
 * Opens the market to these partners alone, in the order in which they get leads: each pays less than the previous one. A partner without a
 * URL reads the API only.
 */
const openTo = (
  market: TestMarketplace,
  partners: readonly Partner[],
  { retrySeconds = [0, 0, 0] }: { retrySeconds?: readonly number[] } = {},
): Promise<void> => market.apply(marketplaceYaml(partners, retrySeconds), { prune: true });

function marketplaceYaml(partners: readonly Partner[], retrySeconds: readonly number[]): string {
  return `
marketplace: { retrySeconds: [${retrySeconds.join(', ')}] }
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
${partners.map((partner, index) => partnerYaml(partner, 100 - index)).join('')}`;
}

function partnerYaml({ key, url, states = '', sale = 'exclusive' }: Partner, payout: number): string {
  return `
  - key: ${key}
    channels: [${url === undefined ? '' : 'webhook'}]
    ${url === undefined ? '' : `settings: { webhookUrl: "${url}" }`}
    billing: { mode: postpaid, creditLimit: 100000 }
    offers:
      - { key: ${key}-offer, eventType: Lead Sale, payout: ${payout}, sale: ${sale}, filters: { states: [${states}] },
          caps: { daily: 500, monthly: 5000 }, budget: { weekly: 90000 } }
`;
}

/** Responses in turn; the last one is repeated. */
function inTurn(...replies: readonly Reply[]): Respond {
  let next = 0;
  return () => replies[Math.min(next++, replies.length - 1)] ?? 'reset';
}

const webhookId = (request: ReceivedRequest | undefined): string => String(request?.headers['webhook-id']);
const timestamp = (request: ReceivedRequest | undefined): number => Number(request?.headers['webhook-timestamp']);
const attemptsOf = ({ attempts }: LeadTrace): unknown[] =>
  attempts.map(({ partner, attempt, state, responseCode }) => [partner, attempt, state, responseCode]);
/** What was decided about the offers of these partners. */
const offersOf = ({ decision }: LeadTrace, ...partners: readonly string[]): unknown[] =>
  (decision?.offers ?? [])
    .filter(({ partnerKey }) => partners.includes(partnerKey))
    .map(({ offerKey, code }) => [offerKey, code]);
/** Whether the endpoint of the partner is disabled, and the version of the configuration. */
const endpointOf = async (
  { database }: TestMarketplace,
  buyerKey: string,
): Promise<{ isDisabled: boolean; version: number }> => {
  const rows = await select<{ isDisabled: boolean; version: number }>(
    database,
    `SELECT config_version AS version,
            (SELECT endpoint_disabled_at IS NOT NULL FROM buyer WHERE buyer_key = $1) AS "isDisabled"
     FROM marketplace`,
    [buyerKey],
  );
  return rows[0] ?? { isDisabled: false, version: 0 };
};
const onceDisabled = (market: TestMarketplace, buyerKey: string): Promise<unknown> =>
  eventually(`the endpoint of ${buyerKey} is disabled`, async () => (await endpointOf(market, buyerKey)).isDisabled);

describe('A delivery to an endpoint that fails at first', () => {
  it('is retried with the same id and body and a new timestamp, and each attempt is logged', async () => {
    const market = moving;
    const { clock } = market;
    const { summit } = ownKeys('summit');
    const receiver = await market.receive(inTurn({ status: 500, body: 'try later' }, { status: 200, body: 'thanks' }));
    await openTo(market, [{ key: summit, url: `${receiver.origin}/leads` }], {
      retrySeconds: [0, 30, 120],
    });
    const leadId = await market.sell();
    const failed = await eventually('the first attempt has failed', async () => {
      const seen = await market.trace(leadId);
      return seen.attempts[0]?.state === 'failed' ? seen : null;
    });
    const [first] = failed.attempts;
    expect(first).toMatchObject({
      attempt: 1,
      channel: 'webhook',
      target: `${receiver.origin}/…`,
      responseCode: 500,
      responseSnippet: 'try later',
      error: null,
      at: clock.now().toISOString(),
    });
    const wait = Date.parse(String(first?.['nextAttemptAt'])) - clock.now().getTime();
    expect(wait).toBeGreaterThanOrEqual(24 * SECOND);
    expect(wait).toBeLessThanOrEqual(36 * SECOND);
    expect(failed.deliveries[0]).toMatchObject({ status: 'Pending' });

    clock.advance(40 * SECOND);
    const seen = await market.once(leadId, 'Confirmed');
    expect(attemptsOf(seen)).toEqual([
      [summit, 1, 'failed', 500],
      [summit, 2, 'succeeded', 200],
    ]);
    expect(seen.attempts[1]).toMatchObject({ responseSnippet: 'thanks', nextAttemptAt: null });
    expect(seen.attempts.every(({ latencyMs }) => typeof latencyMs === 'number')).toBe(true);
    const [one, two] = receiver.requests;
    expect(webhookId(one)).toBe(seen.deliveries[0]?.deliveryId);
    expect(webhookId(two)).toBe(webhookId(one));
    expect(two?.body).toBe(one?.body);
    expect(timestamp(two) - timestamp(one)).toBe(40);
    const signer = new Webhook(await market.secretOf(summit));
    for (const request of receiver.requests) {
      // The library verifies by the machine's clock, from which this one has moved away: it signs the same instead.
      const sentAt = new Date(timestamp(request) * SECOND);
      expect(request.headers['webhook-signature']).toBe(signer.sign(webhookId(request), sentAt, request.body));
    }
    expect(seen.ledger).toHaveLength(1);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('waits as long as Retry-After says, without using up a retry', async () => {
    const market = moving;
    const { clock } = market;
    const { summit } = ownKeys('summit');
    const busy = { status: 503, headers: { 'retry-after': '120' } };
    const receiver = await market.receive(inTurn(busy, busy, { status: 200 }));
    await openTo(market, [{ key: summit, url: receiver.origin }], { retrySeconds: [0, 1, 1] });
    const leadId = await market.sell();
    for (const attempt of [1, 2]) {
      const next = await eventually(`attempt ${attempt} is over`, async () => {
        // By its number: an attempt under way has the machine's time, and the clock of this marketplace may be ahead of it.
        const one = (await market.trace(leadId)).attempts.find((made) => made.attempt === attempt);
        return one?.state === 'failed' ? one['nextAttemptAt'] : null;
      });
      expect(next).toBe(new Date(clock.now().getTime() + 120 * SECOND).toISOString());
      clock.advance(120 * SECOND);
    }
    await market.once(leadId, 'Confirmed');
    expect(receiver.requests).toHaveLength(3);
  });
});

describe('A delivery that its partner rejects', () => {
  it('fails at the third attempt with a 4xx, and its lead goes to the next offer', async () => {
    const market = running;
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const [refusing, taking] = [
      await market.receive(() => ({ status: 400, body: 'no such campaign' })),
      await market.receive(),
    ];
    await openTo(
      market,
      [
        { key: summit, url: refusing.origin },
        { key: harbor, url: taking.origin },
      ],
      { retrySeconds: [0, 0, 0, 0, 0] },
    );
    const leadId = await market.sell();
    const seen = await market.once(leadId, 'Failed', 'Confirmed');
    expect(attemptsOf(seen)).toEqual([
      [summit, 1, 'failed', 400],
      [summit, 2, 'failed', 400],
      [summit, 3, 'exhausted', 400],
      [harbor, 1, 'succeeded', 200],
    ]);
    expect(new Set(refusing.requests.map(webhookId)).size).toBe(1);
    expect(webhookId(taking.requests[0])).not.toBe(webhookId(refusing.requests[0]));
    expect(offersOf(seen, summit, harbor)).toEqual([
      [`${summit}-offer`, 'had_it_before'],
      [`${harbor}-offer`, 'sold'],
    ]);
    expect(seen.decision?.earlier).toHaveLength(1);
    expect(seen.lead).toMatchObject({ state: 'routed', status: 'Lead Sale' });
    expect(seen.ledger).toMatchObject([{ partner: harbor, amount: -99 }]);
    // Slot, budget and funds of the first sale are free again.
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('leaves the lead unsold and the contact available if all partners respond 4xx', async () => {
    const market = running;
    const { summit } = ownKeys('summit');
    const receiver = await market.receive(inTurn({ status: 404 }, { status: 404 }, { status: 404 }, { status: 200 }));
    await openTo(market, [{ key: summit, url: receiver.origin }]);
    const leadId = await market.sell();
    const seen = await eventually('the lead is rejected', async () => {
      const now = await market.trace(leadId);
      return now.lead.state === 'rejected' ? now : null;
    });
    expect(seen.lead).toMatchObject({ status: 'No Buyer', reason: 'no_buyer' });
    expect(seen.deliveries).toMatchObject([{ status: 'Failed' }]);
    const { json } = await market.supplier.post({ ...market.lastBody(), external_id: 'the same person once more' });
    await market.once(json.lead_id, 'Confirmed');
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('fails at once with 410, and the partner gets nothing until its endpoint is enabled again', async () => {
    const market = running;
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const gone = await market.receive(inTurn({ status: 410 }, { status: 200 }));
    const next = await market.receive();
    await openTo(market, [
      { key: summit, url: gone.origin },
      { key: harbor, url: next.origin },
    ]);
    const seen = await market.once(await market.sell(), 'Failed', 'Confirmed');
    expect(attemptsOf(seen)).toEqual([
      [summit, 1, 'exhausted', 410],
      [harbor, 1, 'succeeded', 200],
    ]);
    await onceDisabled(market, summit);
    const second = await market.once(await market.sell(), 'Confirmed');
    expect(offersOf(second, summit, harbor)).toEqual([
      [`${summit}-offer`, 'endpoint_disabled'],
      [`${harbor}-offer`, 'sold'],
    ]);
    expect(gone.requests).toHaveLength(1);

    const enable = ['endpoint', 'enable', '--partner', summit, '--json'];
    const { exitCode, json } = await captureCommand(enable, (program, out) =>
      registerEndpointCommands(program.command('endpoint'), contextOf(market.database, { now: () => new Date() }, out)),
    );
    expect([exitCode, json]).toMatchObject([0, { partner: summit, wasDisabled: true }]);
    const third = await market.once(await market.sell(), 'Confirmed');
    expect(third.deliveries).toMatchObject([{ partner: summit }]);
    expect(gone.requests).toHaveLength(2);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('moves other deliveries that wait for an endpoint with 410 to the next offers, without sending them', async () => {
    const market = moving;
    const { clock } = market;
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const gone = await market.receive(inTurn({ status: 425 }, { status: 425 }, { status: 410 }));
    const next = await market.receive();
    const partners = [
      { key: summit, url: gone.origin },
      { key: harbor, url: next.origin },
    ];
    await openTo(market, partners, { retrySeconds: [0, 3600, 3600] });
    const waiting = [await market.sell(), await market.sell()];
    await eventually('both wait for another attempt', async () => {
      const seen = await Promise.all(waiting.map((leadId) => market.trace(leadId)));
      return seen.every(({ attempts }) => attempts[0]?.state === 'failed');
    });
    await market.once(await market.sell(), 'Failed', 'Confirmed');
    await onceDisabled(market, summit);
    clock.advance(2 * HOUR);
    for (const leadId of waiting) {
      const seen = await market.once(leadId, 'Failed', 'Confirmed');
      expect(seen.attempts[1]).toMatchObject({ partner: summit, state: 'exhausted', responseCode: null });
      expect(seen.attempts[1]?.['error']).toContain('disabled');
    }
    expect(gone.requests).toHaveLength(3);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});

describe('An endpoint that responded 410 Gone', () => {
  it('does not disable the new URL that its partner has set meanwhile', async () => {
    const market = running;
    const { summit } = ownKeys('summit');
    const release = Promise.withResolvers<Reply>();
    const receiver = await market.receive(({ path }) => (path === '/old' ? release.promise : { status: 200 }));
    await openTo(market, [{ key: summit, url: `${receiver.origin}/old` }]);
    const leadId = await market.sell();
    await eventually('it is on its way', () => receiver.requests.length === 1);
    await market.apply(marketplaceYaml([{ key: summit, url: `${receiver.origin}/new` }], [0, 0, 0]));
    const before = await endpointOf(market, summit);
    release.resolve({ status: 410 });
    await market.once(leadId, 'Failed');
    const seen = await market.once(await market.sell(), 'Confirmed');
    expect(seen.attempts).toMatchObject([{ partner: summit, state: 'succeeded' }]);
    expect(receiver.requests.at(-1)?.path).toBe('/new');

    // A transaction without an endpoint to disable leaves the configuration as it is.
    const disable = (path: string): Promise<readonly string[]> =>
      market.database.tx((tx) =>
        disableEndpoints(
          tx,
          [
            {
              buyerKey: summit,
              webhookUrl: `${receiver.origin}${path}`,
              reason: 'gone',
              since: new Date(),
              waiting: 0,
            },
          ],
          new Date(),
        ),
      );
    expect(await disable('/old')).toEqual([]);
    expect(await endpointOf(market, summit)).toEqual(before);
    expect(await disable('/new')).toEqual([summit]);
    expect(await disable('/new')).toEqual([]);
    expect(await endpointOf(market, summit)).toEqual({ isDisabled: true, version: before.version + 1 });
  });

  it('is disabled once the configuration is unlocked, and no delivery waits for that', async () => {
    const market = running;
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const gone = await market.receive(() => ({ status: 410 }));
    const healthy = await market.receive();
    await openTo(market, [
      { key: summit, url: gone.origin, states: 'NY' },
      { key: harbor, url: healthy.origin },
    ]);
    await market.database.tx(async (tx) => {
      await lockConfigVersion(tx);
      for (let times = 0; times < 3; times += 1) {
        await market.once(await market.sell({ state: 'NY' }), 'Failed', 'Confirmed');
        await market.once(await market.sell({ state: 'CA' }), 'Confirmed');
      }
    });
    await onceDisabled(market, summit);
    expect(gone.requests).toHaveLength(3);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});

describe('A delivery that may have arrived', () => {
  it('does not follow a redirect, fails after its last attempt, and its lead is offered to no other buyer', async () => {
    const market = running;
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const elsewhere = await market.receive();
    const redirecting = await market.receive(() => ({
      status: 302,
      headers: { location: `${elsewhere.origin}/leads` },
    }));
    await openTo(market, [
      { key: summit, url: redirecting.origin },
      { key: harbor, url: elsewhere.origin },
    ]);
    const leadId = await market.sell();
    const seen = await market.once(leadId, 'Failed');
    expect(attemptsOf(seen)).toEqual([
      [summit, 1, 'failed', 302],
      [summit, 2, 'failed', 302],
      [summit, 3, 'exhausted', 302],
    ]);
    expect(seen.lead).toMatchObject({ state: 'routed', status: 'Lead Sale' });
    expect(seen.ledger).toEqual([]);
    // A lead posted later is decided later: no job of the first one is left.
    await market.once(await market.sell({ state: 'NY' }), 'Failed');
    expect(elsewhere.requests).toEqual([]);
    expect((await market.trace(leadId)).decision?.earlier).toEqual([]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('stays uncertain when later attempts are rejected, because an earlier one may have arrived', async () => {
    const market = running;
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const receiver = await market.receive(inTurn('reset', { status: 400 }));
    await openTo(market, [{ key: summit, url: receiver.origin }, { key: harbor }]);
    const seen = await market.once(await market.sell(), 'Failed');
    expect(attemptsOf(seen)).toEqual([
      [summit, 1, 'failed', null],
      [summit, 2, 'failed', 400],
      [summit, 3, 'exhausted', 400],
    ]);
    expect(seen.lead).toMatchObject({ state: 'routed' });
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});

describe('A delivery whose attempts always time out', () => {
  it('fails when the retry schedule is used up, and its lead is offered to no other buyer', async () => {
    const market = moving;
    const { clock } = market;
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const release = Promise.withResolvers<Reply>();
    const receiver = await market.receive(() => release.promise);
    await openTo(market, [{ key: summit, url: receiver.origin }, { key: harbor }], {
      retrySeconds: [0, 5, 30],
    });
    const leadId = await market.sell();
    for (const attempt of [1, 2, 3]) {
      await eventually(`attempt ${attempt} is under way`, () => receiver.requests.length === attempt);
      // Past the end of its lease, as after the death of its worker.
      clock.advance(MINUTE);
    }
    const seen = await market.once(leadId, 'Failed');
    expect(attemptsOf(seen)).toEqual([
      [summit, 1, 'failed', null],
      [summit, 2, 'failed', null],
      [summit, 3, 'failed', null],
      [summit, 4, 'exhausted', null],
    ]);
    expect(seen.attempts.map(({ error }) => error)).toEqual([
      'interrupted',
      'interrupted',
      'interrupted',
      expect.stringContaining('No attempt is left'),
    ]);
    expect(seen.lead).toMatchObject({ state: 'routed' });
    expect(receiver.requests).toHaveLength(3);
    release.resolve({ status: 500 });
  });
});

describe('A delivery that certainly did not arrive', () => {
  it('goes to the next offer after refused connections', async () => {
    const market = running;
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const closed = await market.receive();
    await closed.close();
    await openTo(market, [{ key: summit, url: closed.origin }, { key: harbor }]);
    const seen = await market.once(await market.sell(), 'Failed', 'Confirmed');
    expect(attemptsOf(seen)).toEqual([
      [summit, 1, 'failed', null],
      [summit, 2, 'failed', null],
      [summit, 3, 'exhausted', null],
    ]);
    expect(seen.attempts.every(({ error }) => typeof error === 'string' && error !== '')).toBe(true);
    expect(seen.deliveries[1]).toMatchObject({ partner: harbor, channel: null });
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('fails in the end, instead of being retried for ever, if its message cannot be built', async () => {
    const market = moving;
    const { clock } = market;
    const { summit } = ownKeys('summit');
    const receiver = await market.receive(inTurn({ status: 500 }, { status: 200 }));
    await openTo(market, [{ key: summit, url: receiver.origin }], { retrySeconds: [0, 60, 60] });
    const leadId = await market.sell();
    await eventually(
      'the first attempt has failed',
      async () => (await market.trace(leadId)).attempts[0]?.state === 'failed',
    );
    const lead = [uuidOf('lead', leadId)];
    const [stored] = await select<{ fields: string }>(
      market.database,
      'SELECT fields FROM lead WHERE lead_id = $1',
      lead,
    );
    const write = (fields: string): Promise<unknown> =>
      select(market.database, 'UPDATE lead SET fields = $2 WHERE lead_id = $1', [...lead, fields]);
    await write('no JSON');
    for (const attempt of [2, 3]) {
      clock.advance(2 * MINUTE);
      await eventually(`attempt ${attempt} is over`, async () => {
        const rows = await select(
          market.database,
          `SELECT FROM attempt WHERE buyer_key = $1 AND attempt = $2 AND state <> 'scheduled'`,
          [summit, attempt],
        );
        return rows.length === 1;
      });
    }
    const [delivery] = await select(market.database, 'SELECT status FROM delivery WHERE lead_id = $1', lead);
    expect(delivery).toEqual({ status: 'Failed' });
    expect(receiver.requests).toHaveLength(1);
    // For the checks of later tests, which read all leads.
    await write(stored?.fields ?? '');
  });
});

describe('A lead that was sold to several buyers', () => {
  it('goes to the next offer when its last delivery has failed, also if two fail at the same time', async () => {
    const market = running;
    const { summit, harbor, keystone } = ownKeys('summit', 'harbor', 'keystone');
    const release = Promise.withResolvers<Reply>();
    const receiver = await market.receive(() => release.promise);
    const shared = { url: receiver.origin, sale: '{ sharedWith: 2 }' };
    await openTo(market, [{ key: summit, ...shared }, { key: harbor, ...shared }, { key: keystone }]);
    const leadId = await market.sell();
    await eventually('it is on its way to both', () => receiver.requests.length === 2);
    const [one = '', two = ''] = receiver.requests.map((request) => uuidOf('delivery', webhookId(request)) ?? '');
    const fail = (tx: Tx, deliveryId: string): Promise<readonly string[]> =>
      failDeliveries(tx, [{ deliveryId: deliveryId as DeliveryId, certain: true }], new Date());
    // The second transaction begins before the first one has ended, so that it does not see its changes.
    let second: Promise<readonly string[]> = Promise.resolve([]);
    const first = await market.database.tx(async (tx) => {
      const rerouted = await fail(tx, one);
      second = market.database.tx((other) => fail(other, two));
      await eventually('the second one waits for the first', async () => {
        const waiting = await select(
          market.database,
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length === 1;
      });
      return rerouted;
    });
    expect([first, await second]).toEqual([[], [uuidOf('lead', leadId)]]);
    const seen = await market.once(leadId, 'Failed', 'Failed', 'Confirmed');
    expect(seen.deliveries[2]).toMatchObject({ partner: keystone });
    release.resolve({ status: 200 });
    await eventually('the books agree', async () => (await ledgerFaults(market.database)).length === 0);
  });
});

describe('An endpoint that hangs', () => {
  it('delays its own deliveries and no others', async () => {
    const market = running;
    const { harbor, dead } = ownKeys('harbor', 'dead');
    const release = Promise.withResolvers<Reply>();
    const [hanging, healthy] = [await market.receive(() => release.promise), await market.receive()];
    await openTo(market, [
      { key: dead, url: hanging.origin, states: 'NY' },
      { key: harbor, url: healthy.origin, states: 'CA' },
    ]);
    const bodies = Array.from({ length: 120 }, (_, serial) =>
      leadBody(10_000 + serial, { state: serial % 2 === 0 ? 'NY' : 'CA' }),
    );
    await market.supplier.postAll(bodies);
    const confirmed = async (buyerKey: string): Promise<number> =>
      (await select(market.database, `SELECT FROM delivery WHERE buyer_key = $1 AND status = 'Confirmed'`, [buyerKey]))
        .length;
    await eventually('the healthy partner has all of its leads', async () => (await confirmed(harbor)) === 60);
    expect(new Set(healthy.requests.map(webhookId)).size).toBe(60);
    expect(await confirmed(dead)).toBe(0);
    // It has as many sendings at a time as one partner may have; the others wait, and none is lost.
    expect(hanging.requests).toHaveLength(16);
    release.resolve({ status: 200 });
    await eventually('the other partner has all of its leads, too', async () => (await confirmed(dead)) === 60);
    expect(new Set(hanging.requests.map(webhookId)).size).toBe(60);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});

describe('A replaced signing secret', () => {
  it('signs beside the new one for a day, so that either secret verifies', async () => {
    const market = running;
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const receiver = await market.receive();
    await openTo(market, [
      { key: summit, url: receiver.origin, states: 'CA' },
      { key: harbor, url: receiver.origin, states: 'NY' },
    ]);
    const rotate = async (key: string, hoursAgo: number): Promise<{ before: string; after: string }> => {
      const before = await market.secretOf(key);
      const at = new Date(Date.now() - hoursAgo * HOUR);
      const rotation = { owner: { kind: 'buyer', key }, actor: commandLineActor } as const;
      await market.database.tx((tx) => rotateSigningSecret(tx, rotation, at));
      return { before, after: await market.secretOf(key) };
    };
    const today = await rotate(summit, 23.9);
    const yesterday = await rotate(harbor, 24);
    expect(today.after).not.toBe(today.before);
    await market.once(await market.sell({ state: 'CA' }), 'Confirmed');
    await market.once(await market.sell({ state: 'NY' }), 'Confirmed');

    const [during, later] = receiver.requests;
    const verify = (secret: string, request: ReceivedRequest | undefined): unknown =>
      new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
    expect(String(during?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const secret of [today.before, today.after]) expect(verify(secret, during)).toBeDefined();
    expect(String(later?.headers['webhook-signature']).split(' ')).toHaveLength(1);
    expect(verify(yesterday.after, later)).toBeDefined();
    expect(() => verify(yesterday.before, later)).toThrow('No matching signature');
  });
});

describe('A new partner', () => {
  it('gets its first lead at once, like other partners', async () => {
    const market = running;
    const { summit, lakeside, keystone, harbor } = ownKeys('summit', 'lakeside', 'keystone', 'harbor');
    const receiver = await market.receive();
    await openTo(market, [{ key: summit, url: `${receiver.origin}/summit`, states: 'NY' }]);
    for (const [serial, key] of [lakeside, keystone, harbor].entries()) {
      // Applied by another process: this one refreshes its copy of the configuration at intervals.
      const partners = [{ key, url: `${receiver.origin}/${key}`, states: 'CA' }];
      const parsed = parseFile(marketplaceYaml(partners, [0, 60]), { allowTargets: [receiver.origin] });
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
      const options = { dryRun: false, prune: false, actor: commandLineActor };
      await market.database.tx((tx) => applyFile(tx, parsed.file, options, new Date()));
      // Among equal payouts the lowest key wins, which is the newest.
      const seen = await market.once(await market.sell(), 'Confirmed');
      expect(attemptsOf(seen)).toEqual([[key, 1, 'succeeded', 200]]);
      expect(receiver.requests).toHaveLength(serial + 1);
    }
  });
});

describe('A result that arrives while the database is unavailable', () => {
  it('is recorded when the database is back, and the lead is not sent again', async () => {
    // One of its own, because its connections are cut. No lease ends while the clock stands still: a result that is not written now never
    // will be.
    const market = await openSharedMarket({ clock: handClock(new Date().toISOString()) });
    onTestFinished(() => market.close());
    const { summit, harbor } = ownKeys('summit', 'harbor');
    const release = Promise.withResolvers<Reply>();
    const receiver = await market.receive(() => release.promise);
    await openTo(market, [{ key: summit, url: receiver.origin }, { key: harbor }], {
      retrySeconds: [0],
    });
    const leadId = await market.sell();
    await eventually('the lead is on its way', () => receiver.requests.length === 1);
    const [row] = await select<{ name: string }>(market.database, 'SELECT current_database() AS name');
    await onServer(inject('postgres').url, async (server) => {
      await server.query(`ALTER DATABASE ${row?.name} ALLOW_CONNECTIONS false`);
      await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [row?.name]);
      release.resolve({ status: 400 });
      for (let serial = 1000; serial < 1010; serial += 1) {
        expect((await market.supplier.post(leadBody(serial))).status).toBe(503);
      }
      await server.query(`ALTER DATABASE ${row?.name} ALLOW_CONNECTIONS true`);
    });
    // It was rejected, which is certain: the next buyer gets it.
    const seen = await market.once(leadId, 'Failed', 'Confirmed');
    expect(attemptsOf(seen)).toEqual([[summit, 1, 'exhausted', 400]]);
    expect(receiver.requests).toHaveLength(1);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});

describe('A result that arrives after the end of its lease', () => {
  it('confirms the delivery if the partner accepted the lead, and charges once for any number of attempts', async () => {
    const market = moving;
    const { clock } = market;
    const { summit } = ownKeys('summit');
    const release = Promise.withResolvers<Reply>();
    const receiver = await market.receive((request) =>
      request === receiver.requests[0] ? release.promise : { status: 200 },
    );
    await openTo(market, [{ key: summit, url: receiver.origin }]);
    const leadId = await market.sell();
    await eventually('the first sending is under way', () => receiver.requests.length === 1);
    clock.advance(5 * MINUTE);
    await market.once(leadId, 'Confirmed');
    release.resolve({ status: 200 });
    const seen = await eventually('the first one is answered, too', async () => {
      const now = await market.trace(leadId);
      return now.attempts.every(({ state }) => state === 'succeeded') ? now : null;
    });
    expect(seen.attempts).toHaveLength(2);
    expect(new Set(receiver.requests.map(webhookId))).toEqual(new Set([seen.deliveries[0]?.deliveryId]));
    expect(seen.ledger).toHaveLength(1);
    expect(await ledgerFaults(market.database)).toEqual([]);
    expect(typeId('delivery', (uuidOf('delivery', webhookId(receiver.requests[0])) ?? '') as DeliveryId)).toBe(
      webhookId(receiver.requests[0]),
    );
  });
});
