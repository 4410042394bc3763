// The way of one lead through the whole service, from the supplier's POST to the buyer's account: the place to begin reading.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../src/platform/clock.ts';
import type { LeadTrace } from '../src/routing/trace-lead.ts';
import { registerTraceCommand } from '../src/routing/trace.cli.ts';
import { type ApiResponse, call, postLead } from './support/api-client.ts';
import { ledgerFaults } from './support/ledger-faults.ts';
import { captureCommand, contextOf } from './support/captured-command.ts';
import { eventually } from './support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from './support/marketplace.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { traceOf } from './support/trace.ts';

// Four partners want leads from California, and a fifth wants them from New York. Summit pays most of those that can take one.
const marketplaceFile = (webhookUrl: string): string => `
suppliers:
  - { key: acme-media, name: Acme Media, status: approved }
partners:
  - key: summit
    name: Summit Debt Relief
    timeZone: America/Los_Angeles
    channels: [webhook]
    settings: { webhookUrl: "${webhookUrl}" }
    billing: { mode: postpaid, creditLimit: 1000 }
    offers:
      - key: summit-west
        eventType: Lead Sale
        payout: 45.00
        filters: { states: [CA, OR, WA], debtAmount: { min: 10000 }, minScore: 40 }
        caps: { daily: 50 }
  - key: harbor
    name: Harbor Financial
    offers: [{ key: harbor-all, eventType: Lead Sale, payout: 40.00, filters: { states: [CA, NV] } }]
  - key: keystone
    name: Keystone
    offers: [{ key: keystone-big, eventType: Lead Sale, payout: 90.00, filters: { debtAmount: { min: 50000 } } }]
  - key: lakeside
    name: Lakeside
    status: paused
    offers: [{ key: lakeside-any, eventType: Lead Sale, payout: 80.00 }]
  - key: hudson
    name: Hudson
    offers: [{ key: hudson-east, eventType: Lead Sale, payout: 70.00, filters: { states: [NY] } }]
`;

const lead = {
  external_id: 'A-1001',
  full_name: 'Jordan Rivera',
  email: 'jordan.rivera@example.com',
  phone: '+1 (555) 555-0123',
  state: 'ca',
  debt_amount: '24500.00',
  source: 'search-debt-west',
  consent_timestamp: '2026-11-20T17:03:11Z',
  source_form_url: 'https://forms.example.com/debt?utm_source=search',
};

type Message = { type: string; timestamp: string; data: Record<string, unknown> & { deliveryId: string } };

let receiver: Receiver;
let market: TestMarketplace;
let supplierKey: string;
let buyerToken: string;
/** What has come in at Summit's endpoint with a signature that the public library accepts. */
const taken: Message[] = [];
let summitSecret: string;

beforeAll(async () => {
  receiver = await startReceiver({
    respond(request) {
      // As every receiver should: verify first (this throws), then read.
      const message = new Webhook(summitSecret).verify(request.body, request.headers as Record<string, string>);
      taken.push(message as Message);
      return { status: 204 };
    },
  });
  const yaml = marketplaceFile(`${receiver.origin}/leads`);
  market = await startTestMarketplace({ yaml, allowTargets: [receiver.origin] });
  summitSecret = await market.secretOf('summit');
  supplierKey = await market.supplierKey('acme-media');
  buyerToken = await market.buyerToken('summit');
});

afterAll(async () => {
  await market.close();
  await receiver.close();
});

const buyerLeads = (): Promise<ApiResponse> =>
  call(`${market.url}/api/v1/buyer/leads`, { headers: { authorization: `Bearer ${buyerToken}` } });

const supplierStats = (): Promise<ApiResponse> =>
  call(`${market.url}/api/v1/supplier/stats`, { headers: { 'x-api-key': supplierKey } });

const trace = (leadId: string): Promise<LeadTrace> => traceOf(market.database, leadId);

describe('One lead', () => {
  let response: ApiResponse;
  let listed: Record<string, unknown>;

  it('is posted by a supplier, and the response has its id and score once it is on disk', async () => {
    response = await postLead(market.url, supplierKey, lead);
    expect(response.status).toBe(202);
    expect(response.json).toEqual({
      accepted: true,
      lead_id: expect.stringMatching(/^lead_[0-9a-z]{26}$/) as string,
      score: expect.any(Number) as number,
      processingTime: expect.any(Number) as number,
    });
    expect(response.json.score).toBeGreaterThan(40);
  });

  it('is sold to one buyer, and sent to its endpoint once, in a signed message', async () => {
    const message = await eventually('the lead came in at the buyer’s endpoint', () => taken[0] ?? null);
    expect(message.type).toBe('lead.delivered');
    expect(message.timestamp).toBe(message.data['deliveredAt']);
    const [request] = receiver.requests;
    // The id of the message is that of the delivery, so that the buyer can tell a repetition.
    expect(request?.headers['webhook-id']).toBe(message.data.deliveryId);
    expect(message.data['lead']).toEqual({
      fullName: 'Jordan Rivera',
      email: 'jordan.rivera@example.com',
      phone: '+15555550123',
      state: 'CA',
      debtAmount: 24_500,
      tcpaConsent: true,
      consentTimestamp: '2026-11-20T17:03:11.000Z',
      leadIp: null,
      utmSource: 'search',
      sourceUrl: 'https://forms.example.com/debt?utm_source=search',
    });
  });

  it('is confirmed in the buyer’s list, with all other members as they were sent', async () => {
    const page = await eventually('the delivery is confirmed', async () => {
      const { json } = await buyerLeads();
      return json.data[0]?.status === 'Confirmed' ? json : null;
    });
    expect(page).toMatchObject({ page: 1, total: 1, totalPages: 1 });
    listed = page.data[0];
    expect(listed).toMatchObject({
      deliveryRef: expect.stringMatching(/^LS-\d{6}$/) as string,
      eventType: 'Lead Sale',
      payout: 45,
      returned: false,
      claim: null,
    });
    const {
      status: statusSent,
      confirmedAt: confirmedSent,
      returnable: returnableSent,
      ...sent
    } = (taken[0] as Message).data;
    const { status, confirmedAt, returnable, ...shown } = listed;
    expect(shown).toEqual(sent);
    // It is sent before it is known to have come, and only what has come can be returned.
    expect([statusSent, status]).toEqual(['Pending', 'Confirmed']);
    expect([confirmedSent, confirmedAt]).toEqual([null, expect.stringMatching(/Z$/)]);
    expect(returnableSent).toMatchObject({ reason: 'delivery_not_confirmed' });
    expect(returnable).toMatchObject({ reason: null });
  });

  it('is charged to the buyer, once', async () => {
    expect((await trace(response.json.lead_id)).ledger).toEqual([
      expect.objectContaining({
        partner: 'summit',
        type: 'charge',
        amount: -45,
        balanceAfter: -45,
        deliveryId: listed['deliveryId'],
        description: `Lead Sale ${String(listed['deliveryRef'])}`,
      }),
    ]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('can be traced afterwards: every offer, and why it got the lead or not', async () => {
    const seen = await trace(response.json.lead_id);
    expect(seen.lead).toMatchObject({
      state: 'routed',
      status: 'Lead Sale',
      externalId: 'A-1001',
      supplier: 'acme-media',
    });
    expect(seen.decision?.offers).toEqual([
      {
        offerKey: 'keystone-big',
        partnerKey: 'keystone',
        result: 'left_out',
        code: 'debt_amount_too_low',
        got: 2_450_000,
        want: 5_000_000,
      },
      {
        offerKey: 'lakeside-any',
        partnerKey: 'lakeside',
        result: 'left_out',
        code: 'partner_not_active',
        got: 'paused',
        want: 'active',
      },
      {
        offerKey: 'hudson-east',
        partnerKey: 'hudson',
        result: 'left_out',
        code: 'state_not_wanted',
        got: 'CA',
        want: ['NY'],
      },
      { offerKey: 'summit-west', partnerKey: 'summit', result: 'sold', code: 'sold' },
      {
        offerKey: 'harbor-all',
        partnerKey: 'harbor',
        result: 'left_out',
        code: 'outranked',
        got: { priority: 1, payoutCents: 4000 },
        want: { offers: ['summit-west'], priority: 1, payoutCents: 4500 },
      },
    ]);
    expect(seen.attempts).toEqual([
      expect.objectContaining({
        attempt: 1,
        channel: 'webhook',
        state: 'succeeded',
        responseCode: 204,
        partner: 'summit',
      }),
    ]);
    expect(seen.events.map(({ type }) => type)).toEqual(['lead.received', 'lead.routed', 'delivery.confirmed']);
  });

  it('is traced by the command line in the same way, by the id of the lead or of the delivery', async () => {
    for (const id of [response.json.lead_id, listed['deliveryId'] as string]) {
      const command = ['lead', 'trace', id, '--json'];
      const { exitCode, json } = await captureCommand(command, (program, out) =>
        registerTraceCommand(program.command('lead'), contextOf(market.database, systemClock, out)),
      );
      expect(exitCode).toBe(0);
      expect(json).toEqual(await trace(response.json.lead_id));
    }
  });

  it('counts in the supplier’s statistics', async () => {
    expect((await supplierStats()).json).toEqual({
      days: 30,
      supplierKey: 'acme-media',
      totals: { submitted: 1, routed: 1, rejected: 0, pending: 0, acceptanceRate: 100, avgScore: response.json.score },
      byStatus: { 'Lead Sale': 1 },
    });
  });

  it('stays one lead when the supplier posts it again, and is not sold again', async () => {
    const again = await postLead(market.url, supplierKey, { ...lead, phone: '+15555550123', state: 'CA' });
    expect(again.status).toBe(202);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.json).toMatchObject({ lead_id: response.json.lead_id, score: response.json.score });

    // Leads are decided in the order in which they came: with this one's arrival the repetition, too, has had its time.
    await postLead(market.url, supplierKey, {
      ...lead,
      external_id: 'A-1002',
      email: 'a@example.com',
      phone: '+15555550124',
    });
    await eventually('the next lead has come', () => taken.length === 2);
    expect(taken.filter(({ data }) => data.deliveryId === listed['deliveryId'])).toHaveLength(1);
    await eventually('the next lead is confirmed', async () => (await ledgerFaults(market.database)).length === 0);
    expect((await supplierStats()).json.totals).toMatchObject({ submitted: 2, routed: 2 });
    expect((await trace(response.json.lead_id)).ledger).toHaveLength(1);
    expect(receiver.requests).toHaveLength(2);
  });
});
