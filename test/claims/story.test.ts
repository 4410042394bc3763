// Tests a return from the sale to the credit, with real endpoints of a partner and a supplier: the messages to both, and the ledger.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { DAY_MS } from '../../src/base/time.ts';
import { reviewClaim } from '../../src/claims/review-claim.ts';
import { type ApiResponse, call, postLead } from '../support/api-client.ts';
import { ledgerFaults, leadsByStatus } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import { traceOf } from '../support/trace.ts';
import { claimFaults } from './claim-ledger.ts';
import { claimUuid, RETURNS } from './claim-market.ts';

let receiver: Receiver;
let market: TestMarketplace;
let key: string;
let token: string;

beforeAll(async () => {
  receiver = await startReceiver();
  market = await startTestMarketplace({
    allowTargets: [receiver.origin],
    yaml: `
marketplace: { currency: USD }
suppliers:
  - { key: acme-media, name: Acme Media, status: approved, callback: { url: "${receiver.origin}/acme", events: [lead.returned] } }
partners:
  - key: summit
    name: Summit
    timeZone: America/Los_Angeles
    channels: [webhook]
    rateLimit: { perSecond: 100000, burst: 100000 }
    settings: { webhookUrl: "${receiver.origin}/summit" }
    offers:
      - { key: west, name: West, eventType: Lead Sale, payout: 45.50 }
`,
  });
  key = await market.supplierKey('acme-media');
  token = await market.buyerToken('summit');
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

const ask = (path: string, body?: object): Promise<ApiResponse> =>
  call(market.url + path, { headers: { authorization: `Bearer ${token}` }, ...(body === undefined ? {} : { body }) });

const received = (path: string, type: string): Promise<ReceivedRequest> =>
  eventually(`${path} gets ${type}`, () => {
    const isIt = (request: ReceivedRequest): boolean => request.path === path && JSON.parse(request.body).type === type;
    return receiver.requests.find(isIt) ?? null;
  });

describe('The story of a claim', () => {
  it('leads from the sale over the return to the credit, and notifies partner and supplier', async () => {
    const { json: accepted } = await postLead(market.url, key, leadBody(1));
    const sold = await eventually<Json>('the lead is sold', async () => {
      const [delivery] = (await ask('/api/v1/buyer/leads')).json.data;
      return delivery?.status === 'Confirmed' ? delivery : null;
    });
    const filing = await ask(RETURNS, { deliveryId: sold.deliveryId, reason: 'invalid_phone', proof: 'Dead.' });
    expect(filing.status).toBe(201);
    const { returnId } = filing.json;
    const input = {
      claimId: claimUuid(returnId),
      step: 'approve',
      note: 'So it is.',
      actor: commandLineActor,
    } as const;
    const outcome = await market.database.tx((tx) => reviewClaim(tx, input, new Date()));
    expect(outcome.ok).toBe(true);

    const { json: approved } = await ask(`${RETURNS}/${returnId}`);
    expect(approved).toMatchObject({ status: 'approved', decisionNote: 'So it is.', credit: { amount: 45.5 } });
    const outcomeText = await received('/summit', 'return.reviewed');
    const opened = new Webhook(await market.secretOf('summit')).verify(
      outcomeText.body,
      outcomeText.headers as Record<string, string>,
    );
    expect(opened).toEqual({ type: 'return.reviewed', timestamp: approved.decidedAt, data: approved });

    // The feed names the events like their webhooks, and shows the sale as of its time.
    const { json: feed } = await ask('/api/v1/buyer/events');
    expect(feed.data.map(({ eventId, type, data }: Json) => [eventId, type, data.status])).toEqual([
      [sold.deliveryId, 'lead.delivered', 'Pending'],
      [outcomeText.headers['webhook-id'], 'return.reviewed', 'approved'],
    ]);
    expect(feed.data[1].data).toEqual(approved);
    expect(feed.data[0].data.claim).toBeNull();
    expect((await ask(`/api/v1/buyer/leads/${sold.deliveryId}`)).json).toMatchObject({
      status: 'Returned',
      claim: { kind: 'return', id: returnId, status: 'approved' },
    });

    const callback = await received('/acme', 'lead.returned');
    expect(JSON.parse(callback.body).data).toEqual({
      lead_id: accepted.lead_id,
      external_id: 'lead-1',
      status: 'Lead Sale',
      reason: 'invalid_phone',
      occurredAt: approved.decidedAt,
    });

    // The contact still counts as sold; the ledger check covers that the slot is still used.
    await postLead(market.url, key, leadBody(1, { external_id: 'again' }));
    await eventually('the same person is refused', async () => {
      const counts = await leadsByStatus(market.database);
      return counts['Duplicate'] === 1 && counts['Lead Sale'] === 1;
    });
    await eventually('the books agree', async () => (await ledgerFaults(market.database)).length === 0);
    expect(await claimFaults(market.database)).toEqual([]);
  });

  it('allows a return within the whole window after a delivery that was retried over three days', async () => {
    const clock = handClock('2026-11-10T18:00:00.000Z');
    const statuses = [503, 503, 503];
    const endpoint = await startReceiver({ respond: () => ({ status: statuses.shift() ?? 200 }) });
    const retried = await startTestMarketplace({
      allowTargets: [endpoint.origin],
      clock,
      yaml: `
marketplace: { currency: USD, retrySeconds: [0, 68400, 68400, 68400] }
suppliers: [{ key: acme-media, status: approved }]
partners:
  - key: summit
    timeZone: America/Los_Angeles
    channels: [webhook]
    rateLimit: { perSecond: 100000, burst: 100000 }
    settings: { webhookUrl: "${endpoint.origin}/summit" }
    offers: [{ key: west, eventType: Lead Sale, payout: 45.50 }]
`,
    });
    try {
      const [supplierKey, buyerToken] = [await retried.supplierKey('acme-media'), await retried.buyerToken('summit')];
      const get = async (path: string): Promise<Json> =>
        (await call(retried.url + path, { headers: { authorization: `Bearer ${buyerToken}` } })).json;
      const post = (path: string, body: object): Promise<ApiResponse> =>
        call(retried.url + path, { headers: { authorization: `Bearer ${buyerToken}` }, body });
      const consent = { consent_timestamp: '2026-11-10T17:59:00Z' };
      const { json: accepted } = await postLead(retried.url, supplierKey, leadBody(1, consent));
      for (const attempts of [1, 2, 3]) {
        await eventually(`attempt ${attempts} has failed`, async () => {
          const last = (await traceOf(retried.database, accepted.lead_id)).attempts.at(-1);
          return last?.['attempt'] === attempts && last['state'] === 'failed';
        });
        // A day is longer than 19 hours with the maximum jitter.
        clock.advance(DAY_MS);
      }
      const delivery = await eventually<Json>('it is confirmed', async () => {
        const [found] = (await get('/api/v1/buyer/leads')).data;
        return found.status === 'Confirmed' ? found : null;
      });
      expect(delivery).toMatchObject({
        deliveredAt: '2026-11-10T18:00:00.000Z',
        confirmedAt: '2026-11-13T18:00:00.000Z',
      });
      // Five business days after the 13th; after the 10th it would have been the 18th, past Veterans Day.
      const until = '2026-11-21T07:59:59.000Z';
      expect(delivery.returnable).toEqual({ until, reason: null });

      // The message is the same on every attempt: as of the sale.
      expect(new Set(endpoint.requests.map(({ body }) => body)).size).toBe(1);
      expect(JSON.parse(endpoint.requests[0]?.body ?? '{}').data).toMatchObject({
        ...{ deliveryId: delivery.deliveryId, status: 'Pending', confirmedAt: null },
        returnable: { until: '2026-11-19T07:59:59.000Z', reason: 'delivery_not_confirmed' },
      });

      clock.set('2026-11-21T07:59:59.999Z');
      const body = { deliveryId: delivery.deliveryId, reason: 'invalid_phone' };
      expect((await post(`${RETURNS}?dryRun=true`, body)).json).toMatchObject({ allowed: true, until });
      expect((await post(RETURNS, body)).status).toBe(201);
    } finally {
      await retried.close();
      await endpoint.close();
    }
  });
});
