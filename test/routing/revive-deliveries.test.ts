// Tests requests to redeliver a failed delivery: it is sold to its partner again if the lead is still free, under the same id, and never to
// two partners (contract 6.4).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { StartedAttempt } from '../../src/deliveries/sending/begin-attempts.ts';
import { type DeliveryId, type LeadId, typeId } from '../../src/base/ids.ts';
import { createMarketReader, type MarketReader } from '../../src/routing/market-reader.ts';
import { reviveDeliveries } from '../../src/routing/revive-deliveries.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { repeatTransient } from '../../src/platform/database/retry-transaction.ts';
import { listCommands } from '../lists/list-command.ts';
import { getAsBuyer, postAsBuyer, postLead } from '../support/api-client.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { responded, beginDue, broke, finishWith, resultOf } from '../support/sendings.ts';

const NOWHERE = 'http://127.0.0.1:9';
const HOOK = `channels: [webhook], settings: { webhookUrl: "${NOWHERE}/x" }`;

const yamlOf = ({ summit = '', harbor = '', credit = '100000', hold = '0' }) => `
marketplace: { retrySeconds: [0], holdMinutes: ${hold} }
suppliers:
  - { key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 },
      callback: { url: "https://acme.example/hooks", events: [lead.routed, lead.rejected] } }
partners:
  - { key: summit, ${HOOK}, billing: { mode: postpaid, creditLimit: ${credit} },
      offers: [{ key: summit-offer, eventType: Lead Sale, payout: 40, priority: 1${summit} }] }
  - { key: harbor, channels: [], offers: [{ key: harbor-offer, eventType: Lead Sale, payout: 30, priority: 2${harbor} }] }
`;
const ALONE = { harbor: ', status: paused' };

const clock: HandClock = handClock('2026-11-18T12:00:00.000Z');
const market: MarketReader = createMarketReader();
let marketplace: TestMarketplace;
let key: string;
let summit: string;
let serial = 0;
// Leads are routed and sent only by the test.
beforeAll(async () => {
  marketplace = await startTestMarketplace({ yaml: yamlOf({}), allowTargets: [NOWHERE], clock, role: 'api' });
  [key, summit] = [await marketplace.supplierKey('acme'), await marketplace.buyerToken('summit')];
});
afterEach(async () => {
  if ((await begin()).length > 0) throw new Error('a test has left something to be sent');
});
afterAll(() => marketplace.close());

const open = (options: Parameters<typeof yamlOf>[0]): Promise<void> => marketplace.apply(yamlOf(options));

const route = (): Promise<unknown> =>
  repeatTransient(() =>
    marketplace.database.tx((tx) => routeLeads(tx, { market, limit: 50, lockFirst: false }, clock.now())),
  );
const begin = (): Promise<StartedAttempt[]> => marketplace.database.tx((tx) => beginDue(tx, clock.now(), 50));

async function sell(body: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const posted = leadBody(++serial, { consent_timestamp: undefined, ...body });
  const { status } = await postLead(marketplace.url, key, posted);
  expect(status).toBe(202);
  await route();
}

async function finish(ending: 'taken' | 'refused' | 'lost'): Promise<void> {
  clock.advance(1000);
  const results = (await begin()).map((attempt) => {
    if (ending === 'taken') return resultOf(attempt, responded(200), { kind: 'delivered' });
    const outcome = ending === 'refused' ? responded(400) : broke('unknown');
    const certain = ending === 'refused' && attempt.job.uncertain <= 1;
    return resultOf(attempt, outcome, { kind: 'failed', certain, endpointGone: false });
  });
  expect(results.length).toBeGreaterThan(0);
  await marketplace.database.tx((tx) => finishWith(tx, results, clock.now(), 100));
}

/** The deliveries of summit, newest first, as it reads them. */
const deliveries = async () => (await getAsBuyer(marketplace.url, summit, '/api/v1/buyer/leads')).json.data;
const redeliver = (id: string) => postAsBuyer(marketplace.url, summit, `/api/v1/buyer/leads/${id}/redeliver`, {});
/** The last delivery. */
const lead = () =>
  select(marketplace.database, 'SELECT state, public_status AS status, reason FROM lead ORDER BY lead_id DESC LIMIT 1');
const ofLastLead = (columns: string) =>
  select(
    marketplace.database,
    `SELECT ${columns} FROM delivery WHERE lead_id = (SELECT max(lead_id::text)::uuid FROM lead) ORDER BY delivery_id`,
  );
const faults = () => ledgerFaults(marketplace.database, { atRest: false });

async function failOne(ending: 'refused' | 'lost' = 'refused'): Promise<string> {
  await sell();
  await finish(ending);
  await route();
  const [{ deliveryId, status }] = await deliveries();
  expect(status).toBe('Failed');
  return deliveryId;
}

describe('A failed delivery whose lead has no other buyer', () => {
  it('becomes Pending again under its id, and is confirmed and charged once when accepted', async () => {
    await open(ALONE);
    const id = await failOne();
    expect(await lead()).toEqual([{ state: 'rejected', status: 'No Buyer', reason: 'no_buyer' }]);
    const response = await redeliver(id);
    expect([response.status, response.json]).toMatchObject([202, { deliveryId: id, status: 'Pending', queued: true }]);
    const [pending] = await deliveries();
    expect(pending).toMatchObject({ deliveryId: id, status: 'Pending' });
    expect(pending.lead.fullName).not.toContain('not delivered');
    expect(await lead()).toEqual([{ state: 'routed', status: 'Lead Sale', reason: null }]);
    expect(await faults()).toEqual([]);
    expect((await redeliver(id)).json.code).toBe('delivery_not_redeliverable');
    await finish('taken');
    expect((await deliveries())[0]).toMatchObject({ deliveryId: id, status: 'Confirmed' });
    expect(
      await select(marketplace.database, `SELECT amount_cents::int AS cents FROM transfer WHERE type = 'charge'`),
    ).toEqual([{ cents: 4000 }]);
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
    const callbacks = await select<{ type: string }>(
      marketplace.database,
      `SELECT type FROM message_job WHERE owner_kind = 'supplier' AND data LIKE '%' || $1 || '%' ORDER BY message_id`,
      [
        typeId(
          'lead',
          ((await select<{ id: string }>(marketplace.database, 'SELECT max(lead_id::text) AS id FROM lead'))[0]?.id ??
            '') as LeadId,
        ),
      ],
    );
    expect(callbacks.map(({ type }) => type)).toEqual(['lead.routed', 'lead.rejected', 'lead.routed']);
  });

  it('may fail repeatedly, and the ledger stays correct', async () => {
    await open(ALONE);
    const id = await failOne();
    for (let time = 0; time < 3; time += 1) {
      expect((await redeliver(id)).status).toBe(202);
      await finish('refused');
      await route();
      expect(await lead()).toMatchObject([{ state: 'rejected', status: 'No Buyer' }]);
      expect(await ledgerFaults(marketplace.database)).toEqual([]);
    }
  });

  it.each([
    ['suppress', []],
    ['exclude', ['--of', 'summit']],
    ['exclude', ['--offer', 'summit-offer']],
    ['sold', ['--partner', 'summit']],
  ])('stays Failed while its contact is on a list to %s %j', async (use, options) => {
    await open(ALONE);
    const id = await failOne();
    const lists = await listCommands(marketplace.database, clock);
    const of = options[0] === '--of' ? options : [];
    await lists.run('create', 'own', '--kind', 'phone', '--use', use, ...options);
    expect((await lists.load('own', `phone\n${String(leadBody(serial)['phone'])}\n`, ...of)).exitCode).toBe(0);
    expect((await redeliver(id)).json.code).toBe('delivery_not_redeliverable');
    await lists.run('remove', 'own', ...of);
    await lists.close();
    expect((await redeliver(id)).status).toBe(202);
    await finish('taken');
  });

  it('that may have arrived stays uncertain, so that no later rejection sells its lead again', async () => {
    await open({});
    const id = await failOne('lost');
    expect(await lead()).toMatchObject([{ state: 'routed' }]);
    expect((await redeliver(id)).status).toBe(202);
    await finish('refused');
    await route();
    expect(await lead()).toMatchObject([{ state: 'routed' }]);
    expect(await ofLastLead('buyer_key')).toEqual([{ buyer_key: 'summit' }]);
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
  });

  it('takes its lead out of the routing queue if the lead waits there for another buyer', async () => {
    await open({});
    await sell();
    await finish('refused');
    const [{ deliveryId }] = await deliveries();
    expect(await lead()).toMatchObject([{ state: 'received' }]);
    expect((await redeliver(deliveryId)).status).toBe(202);
    await route();
    expect(await lead()).toMatchObject([{ state: 'routed' }]);
    expect(await ofLastLead('status')).toEqual([{ status: 'Pending' }]);
    expect(await faults()).toEqual([]);
    await finish('taken');
  });
});

describe('A failed delivery is not sent again', () => {
  const outcomeOf = async (id: string) => {
    const read = (): Promise<unknown> => select(marketplace.database, 'SELECT * FROM delivery ORDER BY delivery_id');
    const before = JSON.stringify(await read());
    const { status, json } = await redeliver(id);
    const isUnchanged = JSON.stringify(await read()) === before;
    return { status, code: json.code as unknown, isUnchanged, faults: await ledgerFaults(marketplace.database) };
  };
  const REFUSED = { status: 409, code: 'delivery_not_redeliverable', isUnchanged: true, faults: [] };

  it('once its lead was sold to another buyer', async () => {
    await open({});
    expect(await outcomeOf(await failOne())).toEqual(REFUSED);
  });

  it('while its offer is paused or its partner has no funds', async () => {
    await open(ALONE);
    const id = await failOne();
    await marketplace.apply(yamlOf({ ...ALONE, summit: ', status: paused' }));
    expect(await outcomeOf(id)).toEqual(REFUSED);
    await marketplace.apply(yamlOf({ ...ALONE, credit: '0' }));
    expect(await outcomeOf(id)).toEqual(REFUSED);
    await marketplace.apply(yamlOf({ ...ALONE, summit: ', caps: { daily: 0 }' }));
    expect(await outcomeOf(id)).toEqual(REFUSED);
    await marketplace.apply(yamlOf({ ...ALONE, summit: ', budget: { weekly: 39 }' }));
    expect(await outcomeOf(id)).toEqual(REFUSED);
    await marketplace.apply(yamlOf({ ...ALONE, summit: ', caps: { daily: 100 }, budget: { daily: 4000 }' }));
    expect((await redeliver(id)).status).toBe(202);
    expect(await faults()).toEqual([]);
    await finish('taken');
  });

  it('when its contact was sold with another lead meanwhile', async () => {
    await open(ALONE);
    const id = await failOne();
    const { phone, email } = leadBody(serial);
    await sell({ phone, email });
    await finish('taken');
    expect(await outcomeOf(id)).toEqual(REFUSED);
  });
});

describe('Concurrent requests', () => {
  it('for one delivery revive it once', async () => {
    await open(ALONE);
    const id = await failOne();
    const responses = await Promise.all(Array.from({ length: 8 }, () => redeliver(id)));
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      202,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    await finish('taken');
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
  });

  it('never sell a lead twice while it is routed to another buyer', async () => {
    await open({});
    for (let round = 0; round < 12; round += 1) {
      await sell();
      await finish('refused');
      const rows = await select<{ id: string; lead: string }>(
        marketplace.database,
        `SELECT delivery_id AS id, lead_id AS lead FROM delivery WHERE status = 'Failed' ORDER BY delivery_id DESC LIMIT 1`,
      );
      const { id, lead: leadId } = rows[0] ?? { id: '', lead: '' };
      const revive = () =>
        repeatTransient(() => marketplace.database.tx((tx) => reviveDeliveries(tx, [id as DeliveryId], clock.now())));
      // Which of them comes first is random, but not always the same one.
      const [revived] = await Promise.all(round % 2 === 0 ? [revive(), route()] : [revive(), route(), route()]);
      await route();
      const live = await select<{ buyer: string }>(
        marketplace.database,
        `SELECT buyer_key AS buyer FROM delivery WHERE lead_id = $1 AND status <> 'Failed'`,
        [leadId],
      );
      expect(live).toHaveLength(1);
      expect(live[0]?.buyer === 'summit').toBe(revived.size === 1);
      expect(await faults()).toEqual([]);
      if (live[0]?.buyer === 'summit') await finish('taken');
    }
  });

  it('never exceed a cap', async () => {
    await open(ALONE);
    clock.advance(86_400_000);
    for (let one = 0; one < 6; one += 1) await sell();
    await finish('refused');
    await route();
    await marketplace.apply(yamlOf({ ...ALONE, summit: ', caps: { daily: 2 }' }));
    const ids = (await deliveries()).slice(0, 6).map(({ deliveryId }: { deliveryId: string }) => deliveryId);
    const responses = await Promise.all(ids.map(redeliver));
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(2);
    await finish('taken');
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
  });
});
