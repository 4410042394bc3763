// The console's leads: list, search, and the story of one lead.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type LeadId, newUuid, typeId, uuidOf } from '../../src/base/ids.ts';
import { listLeadIds, pageLeads } from '../../src/leads/find-leads.ts';
import { listSums } from '../../src/platform/http/list-sums.ts';
import { eraseDataSubjects } from '../../src/privacy/erase-data-subjects.ts';
import { type ApiResponse, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';

/** A Friday; Summit takes two leads a day. */
const clock = handClock('2026-11-20T12:00:00.000Z');
const yamlOf = (origin: string): string => `
marketplace: { currency: USD, holdMinutes: 2880 }
suppliers:
  - { key: acme, name: Acme Media, status: approved }
  - { key: zeta, name: Zeta Forms, status: approved }
partners:
  - { key: summit, name: Summit Relief, channels: [], billing: { mode: postpaid, creditLimit: 1000000 }, offers: [
      { key: summit-ca, name: California, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] }, caps: { daily: 2 } },
      { key: summit-nv, name: Nevada, eventType: Lead Sale, payout: 30.00, filters: { states: [NV] },
        schedule: { days: [sat], from: "08:00", to: "20:00" } }] }
  - { key: harbor, name: Harbor Law, channels: [webhook], billing: { mode: postpaid, creditLimit: 1000000 },
      settings: { webhookUrl: "${origin}/harbor" },
      offers: [{ key: harbor-ca, name: West, eventType: Lead Sale, payout: 40.00, filters: { states: [CA, OR] } }] }
  - { key: resting, name: Resting, status: paused, channels: [],
      offers: [{ key: resting-ca, name: Resting, eventType: Lead Sale, payout: 90.00 }] }
`;

let receiver: Receiver;
let market: TestMarketplace;
const ids = new Map<string, string>();
beforeAll(async () => {
  receiver = await startReceiver();
  market = await startTestMarketplace({ yaml: yamlOf(receiver.origin), clock, allowTargets: [receiver.origin] });
  const acme = await market.supplierKey('acme');
  const zeta = await market.supplierKey('zeta');
  const post = async (name: string, key: string, body: object): Promise<void> => {
    const { json } = await postLead(market.url, key, body);
    ids.set(name, json.lead_id as string);
    await eventually(`${name} is decided`, async () => (await stateOf(name)) !== 'received');
  };
  // One after the other, so that it is known which lead meets the cap.
  await post('first', acme, leadBody(1, { full_name: 'Ann Lee' }));
  await post('second', acme, leadBody(2));
  await post('capped', acme, leadBody(3, { full_name: 'Ann O’Brien' }));
  await post('held', acme, leadBody(4, { state: 'NV' }));
  await post('unwanted', zeta, leadBody(5, { state: 'TX' }));
  const { json } = await postLead(market.url, zeta, { external_id: 'z-1', full_name: 'Nobody', state: 'CA' });
  if (json.accepted !== false) throw new Error('a submission without a contact was accepted');
  await eventually('the last is delivered', async () => (await story('capped')).deliveries[0]?.confirmedAt !== null);
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

// A new session each time: with a frozen clock rate limits never refill.
const get = async (path: string, headers?: Readonly<Record<string, string>>): Promise<ApiResponse> =>
  (await market.signedIn.operator()).get(path, headers);
const id = (name: string): string => ids.get(name) ?? '';
const story = async (name: string): Promise<Json> => (await get(`/console/api/leads/${id(name)}`)).json;
const stateOf = async (name: string): Promise<string> => (await story(name)).lead.state as string;
const list = async ({ search, ...query }: Readonly<Record<string, string>> = {}): Promise<Json> => {
  const headers = search === undefined ? {} : { 'x-search': encodeURIComponent(search) };
  const { status, json } = await get(`/console/api/leads?${new URLSearchParams(query).toString()}`, headers);
  expect(status).toBe(200);
  return json;
};
const names = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
  const known = new Map([...ids].map(([name, leadId]) => [leadId, name]));
  return ((await list(query)).data as Json[]).map(({ leadId }) => known.get(leadId as string) ?? 'refused');
};

describe('the console’s list of leads', () => {
  it('shows the newest first with sales and prices', async () => {
    const { data, next, backTo, note, currency } = await list();
    expect([next, backTo, note, currency]).toEqual([null, null, null, 'USD']);
    expect(data).toHaveLength(6);
    expect(data[3]).toEqual({
      leadId: id('capped'),
      externalId: 'lead-3',
      supplier: 'acme',
      supplierName: 'Acme Media',
      test: false,
      state: 'routed',
      reason: null,
      score: expect.any(Number) as number,
      receivedAt: clock.now().toISOString(),
      erased: false,
      name: 'Ann O’Brien',
      usState: 'CA',
      source: 'search-debt-west',
      vertical: null,
      price: 40,
      sales: [
        {
          deliveryId: expect.stringMatching(/^dlv_/) as string,
          partner: 'harbor',
          partnerName: 'Harbor Law',
          offer: 'harbor-ca',
          status: 'Confirmed',
          payout: 40,
        },
      ],
    });
    expect(data[0]).toMatchObject({
      ...{ state: 'invalid', reason: 'email or phone required', name: null, source: null, sales: [], price: null },
    });
  });

  it.each([
    ['held', ['held']],
    ['routed', ['capped', 'second', 'first']],
    ['no_buyer', ['unwanted']],
    ['duplicate', []],
    ['invalid', ['refused']],
    ['received', []],
  ])('filters by the state %s', async (state, found) => {
    expect(await names({ state })).toEqual(found);
  });

  it.each<Readonly<Record<string, string>>>([
    {},
    { state: 'routed' },
    { state: 'held' },
    { supplier: 'acme' },
    { supplier: 'zeta', state: 'no_buyer' },
    { from: '2030-01-01T00:00:00Z' },
    { search: 'Ann' },
    { partner: 'harbor' },
    { search: 'Ann', usState: 'CA', partner: 'summit' },
    { search: 'Ann', state: 'held' },
    { search: 'lead-3' },
  ])('has sums that agree with the rows under %o', async ({ search, ...query }) => {
    const path = `/console/api/leads/sums?${new URLSearchParams(query).toString()}`;
    const sums = (await get(path, search === undefined ? {} : { 'x-search': encodeURIComponent(search) })).json;
    const rows = (await list(search === undefined ? query : { ...query, search })).data as Json[];
    const sold = rows.filter(({ sales }) => sales.some(({ status }: Json) => status !== 'Failed'));
    const confirmed = rows.flatMap(({ sales }) => sales.filter(({ status }: Json) => status === 'Confirmed') as Json[]);
    expect(sums).toEqual({
      rows: rows.length,
      isAll: true,
      counts: { sold: sold.length },
      amounts: { charged: confirmed.reduce((amount, { payout }) => amount + payout, 0) },
      currency: 'USD',
    });
  });

  it('adds up no more leads than its bounds allow, and says so', async () => {
    const filter = { supplierKey: null, verticalKey: null, states: null, statuses: null, from: null, to: null };
    const found = (limit: number, scanLimit: number) =>
      market.database.tx((tx) => listLeadIds(tx, { filter, limit }, scanLimit));
    expect((await found(10, 100)).isAll).toBe(true);
    expect(await found(3, 100)).toMatchObject({ isAll: false, leadIds: { length: 3 } });
    expect(await found(10, 4)).toMatchObject({ isAll: false, leadIds: { length: 4 } });
    expect(listSums({ rows: 10_001, counts: { sold: 4 }, cents: { charged: 4000 }, currency: 'USD' })).toEqual({
      ...{ rows: 10_000, isAll: false, counts: {}, amounts: {}, currency: 'USD' },
    });
  });

  it('filters by supplier', async () => {
    expect(await names({ supplier: 'zeta' })).toEqual(['refused', 'unwanted']);
    expect(await names({ supplier: 'zeta', state: 'no_buyer' })).toEqual(['unwanted']);
    expect(await names({ supplier: 'nobody' })).toEqual([]);
  });

  it('filters by US state and by the partner that it was sold to, also in a search', async () => {
    expect(await names({ usState: 'NV' })).toEqual(['held']);
    expect(await names({ usState: 'TX', supplier: 'zeta' })).toEqual(['unwanted']);
    expect(await names({ partner: 'harbor' })).toEqual(['capped']);
    expect(await names({ partner: 'summit', usState: 'CA', sort: 'received' })).toEqual(['first', 'second']);
    expect(await names({ partner: 'nobody' })).toEqual([]);
    expect(await names({ search: 'Ann', partner: 'harbor' })).toEqual(['capped']);
    expect(await names({ search: '+15552000003', usState: 'NV' })).toEqual([]);
  });

  it('filters by the time of receipt', async () => {
    // Ids contain the machine's time, not the service's.
    const before = new Date(Date.now() - 86_400_000).toISOString();
    const after = new Date(Date.now() + 86_400_000).toISOString();
    expect(await names({ from: before, to: after, state: 'held' })).toEqual(['held']);
    expect(await names({ from: after })).toEqual([]);
    expect(await names({ to: before })).toEqual([]);
  });

  it('pages without gaps', async () => {
    const first = await list({ limit: '4' });
    expect(first.next).toBe(first.data[3].leadId);
    const second = await list({ limit: '4', before: first.next as string });
    expect([second.data.length, second.next]).toEqual([2, null]);
    expect((await get('/console/api/leads?before=nonsense')).status).toBe(400);
  });

  it('reports how far back it searched if one response cannot cover all leads', async () => {
    const any = { supplierKey: null, verticalKey: null, states: null, from: null, to: null };
    const filter = { ...any, statuses: ['No Buyer' as const] };
    const page = (before: string | null) => market.database.tx((tx) => pageLeads(tx, { filter, before, limit: 50 }, 2));
    const first = await page(null);
    expect(first.leads.map(({ leadId }) => typeId('lead', leadId))).toEqual([id('unwanted')]);
    expect(first.next).toBe(uuidOf('lead', id('unwanted')));
    const second = await page(first.next);
    expect(second.leads).toEqual([]);
    expect(second.next).toBe(uuidOf('lead', id('capped')));
  });
});

describe('the console’s lead search', () => {
  it.each<[says: string, text: () => string, found: string[]]>([
    ['an id', () => id('first'), ['first']],
    ['an external id', () => 'lead-2', ['second']],
    ['the external id of a refused one', () => 'z-1', ['refused']],
    ['a phone number', () => '+1 (555) 200-0001', ['first']],
    ['the end of a phone number, sold or not', () => '2000005', ['unwanted']],
    ['an email address, sold or not', () => 'JORDAN.RIVERA.4@example.com', ['held']],
    ['the beginning of an email address', () => 'jordan.rivera.3@', ['capped']],
    ['words of the name of one that was sold', () => 'obrien ann', ['capped']],
    ['a name that several have', () => 'ann', ['capped', 'first']],
    ['what there is not', () => 'lead-99', []],
    ['an id of nothing', () => typeId('lead', newUuid()), []],
  ])('finds leads by %s', async (_says, text, found) => {
    expect(await names({ search: text() })).toEqual(found);
  });

  it('finds leads by the id and reference of a delivery', async () => {
    const [delivery] = (await story('capped')).deliveries as Json[];
    expect(await names({ search: delivery?.['deliveryId'] as string })).toEqual(['capped']);
    expect(await names({ search: delivery?.['deliveryRef'] as string })).toEqual(['capped']);
  });

  it('applies the filters', async () => {
    expect(await names({ search: 'ann', supplier: 'zeta' })).toEqual([]);
    expect(await names({ search: 'jordan.rivera.4@example.com', state: 'routed' })).toEqual([]);
  });

  it('reports too few digits of a phone number', async () => {
    expect(await list({ search: '12' })).toMatchObject({ data: [], note: 'too_short' });
  });
});

describe('the story of a lead', () => {
  it('explains every offer, those that passed most stages first', async () => {
    const { decision, rounds, lead, factors, rawBody, consent } = await story('capped');
    expect(lead).toMatchObject({ supplierName: 'Acme Media', state: 'routed', fields: { fullName: 'Ann O’Brien' } });
    expect(JSON.parse(rawBody as string)).toMatchObject({ external_id: 'lead-3' });
    expect(consent).toMatchObject({ tcpaConsent: true });
    expect(factors).toHaveLength(5);
    expect(rounds).toHaveLength(1);
    expect(
      (decision.offers as Json[]).map(({ offer, won, stage, rule, values }) => [offer, won, stage, rule, values]),
    ).toEqual([
      ['harbor-ca', true, 'won', 'Won', ''],
      ['summit-ca', false, 'caps', 'Cap reached', 'daily cap: 2 of 2'],
      ['summit-nv', false, 'filters', 'State not wanted', 'CA; wanted NV'],
      ['resting-ca', false, 'standing', 'The partner is not active', 'it is paused'],
    ]);
    expect(decision.offers[0]).toMatchObject({
      offerName: 'West',
      partnerName: 'Harbor Law',
      payout: 40,
      moment: null,
    });
  });

  it('includes deliveries, attempts, money and events, which name partners and offers', async () => {
    const { deliveries, attempts, ledger, claims, events } = await story('capped');
    expect(deliveries).toMatchObject([
      { partner: 'harbor', partnerName: 'Harbor Law', status: 'Confirmed', payout: 40 },
    ]);
    expect(attempts).toMatchObject([{ channel: 'webhook', state: 'succeeded', responseCode: 200, partner: 'harbor' }]);
    expect(ledger).toMatchObject([{ partner: 'harbor', type: 'charge', amount: -40 }]);
    expect(claims).toEqual([]);
    const [{ deliveryRef }] = deliveries as [{ readonly deliveryRef: string }];
    expect((events as Json[]).map(({ type, message }) => [type, message])).toEqual([
      ['lead.received', expect.stringMatching(/^Accepted with a score of \d+$/)],
      ['lead.routed', 'Sold to Harbor Law: West'],
      ['delivery.confirmed', `${deliveryRef} to Harbor Law confirmed and charged`],
    ]);
  });

  it('is found by the id of a delivery', async () => {
    const deliveryId = (await story('capped')).deliveries[0].deliveryId as string;
    const { json } = await get(`/console/api/leads/${deliveryId}`);
    expect(json.lead.leadId).toBe(id('capped'));
  });

  it('shows when an offer opens, and when a held lead is decided again', async () => {
    const { decision } = await story('held');
    expect(decision).toMatchObject({ outcome: 'held', sold: [], retryAt: '2026-11-21T08:00:00.000Z' });
    expect((decision.offers as Json[]).find(({ offer }) => offer === 'summit-nv')).toMatchObject({
      stage: 'schedule',
      rule: 'Outside its hours',
      moment: { is: 'opens', at: '2026-11-21T08:00:00.000Z' },
    });
  });

  it('shows the errors of a rejected submission with remedies', async () => {
    const [refused] = (await list({ state: 'invalid' })).data as Json[];
    const { json } = await get(`/console/api/leads/${refused?.['leadId'] as string}`);
    expect(json).toMatchObject({ decision: null, rounds: [], factors: [], consent: null, lead: { score: null } });
    expect(json.lead.reasons).toMatchObject([{ reason: 'email or phone required' }]);
    expect(json.rawBody).toContain('z-1');
  });

  it('can show an earlier decision', async () => {
    const { json } = await get(`/console/api/leads/${id('held')}?round=1`);
    expect(json.decision.round).toBe(1);
  });

  it.each(['lead_01m7wyk0h2emp81qch4dvtyn6a', 'dlv_01m7wyk0h2emp81qch4dvtyn6a', 'nonsense'])(
    'of nothing is not found: %s',
    async (unknown) => {
      expect((await get(`/console/api/leads/${unknown}`)).status).toBe(404);
    },
  );

  it('contains no personal data of an erased lead, and search does not find the person', async () => {
    const leadIds = [uuidOf('lead', id('second')) ?? ''];
    await market.database.tx((tx) =>
      eraseDataSubjects(
        tx,
        { leadIds: leadIds as LeadId[], audit: { actor: commandLineActor, reason: null } },
        clock.now(),
      ),
    );
    const text = JSON.stringify(await story('second'));
    expect(text).not.toContain('Jordan');
    expect(text).not.toContain('2000002');
    expect(await names({ search: '+15552000002' })).toEqual([]);
    expect((await list({ search: id('second') })).data[0]).toMatchObject({ name: null, erased: true });
  });
});

describe('the price of a lead in the list', () => {
  it('is the sum of its confirmed deliveries, also in the CSV file, and as the sums of the list say it', async () => {
    await market.database.pool.query(
      `INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status, payout_cents,
                             cap_windows, delivered_at, confirmed_at, failed_at, returned_at)
       SELECT gen_random_uuid(), buyer_key, $1, 'shared', 'zeta', 'Lead Sale', false, status, cents, '[]', $2,
              CASE WHEN status IN ('Confirmed', 'Returned') THEN $2::timestamptz END, CASE status WHEN 'Failed' THEN $2::timestamptz END,
              CASE status WHEN 'Returned' THEN $2::timestamptz END
       FROM (VALUES ('summit', 'Confirmed', 4510), ('harbor', 'Confirmed', 1620), ('resting', 'Returned', 700), ('former', 'Failed', 500))
            AS sold (buyer_key, status, cents)`,
      [uuidOf('lead', id('unwanted')), clock.now()],
    );
    const [lead] = (await list({ search: id('unwanted') })).data as Json[];
    expect(lead).toMatchObject({ price: 61.3, sales: { length: 4 } });
    const headers = { 'x-search': id('unwanted') };
    expect((await get('/console/api/leads/sums', headers)).json).toMatchObject({ rows: 1, amounts: { charged: 61.3 } });
    const file = await get('/console/api/exports/leads?columns=source,price', headers);
    expect(file.text.trim().split('\r\n')).toEqual(['source,price', 'search-debt-west,61.30']);
  });
});

describe('access to leads', () => {
  it('is refused to partners and suppliers', async () => {
    const buyer = await market.signedIn.buyer('harbor');
    const supplier = await market.signedIn.supplier('acme');
    for (const path of ['/console/api/leads', `/console/api/leads/${id('capped')}`]) {
      expect((await buyer.get(path)).status).toBe(401);
      expect((await supplier.get(path)).status).toBe(401);
    }
  });
});
