// What partners' systems say in their responses: rejections, duplicates, references and prices (contract 13.4, 13.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type LeadId, uuidOf } from '../../src/base/ids.ts';
import { postByHand } from '../../src/ledger/post-by-hand.ts';
import { eraseDataSubjects } from '../../src/privacy/erase-data-subjects.ts';
import type { LeadTrace } from '../../src/routing/trace-lead.ts';
import { call, getAsBuyer, postAsBuyer } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import { openSharedMarket, ownKeys, type SharedMarket } from '../support/shared-market.ts';

let shared: SharedMarket;
beforeAll(async () => {
  shared = await openSharedMarket();
});
afterAll(() => shared?.close());

/** What a partner's system says about a lead. */
type Answer = {
  readonly outcome?: 'accepted' | 'rejected' | 'duplicate';
  readonly reason?: string;
  readonly reference?: string;
  readonly price?: number | string;
};

const webhook = {
  format: 'custom',
  body: { type: 'json', template: '{ "name": "{{ lead.fullName }}", "most": "{{ delivery.payout }}" }' },
  response: {
    rules: [
      { when: { json: { path: 'outcome', equals: 'rejected' } }, outcome: 'rejected', reason: { json: 'reason' } },
      { when: { json: { path: 'outcome', equals: 'duplicate' } }, outcome: 'duplicate', reason: { json: 'reason' } },
      { when: { status: '2xx' }, outcome: 'accepted', reference: { json: 'reference' }, price: { json: 'price' } },
    ],
  },
};

type Partner = {
  readonly answers?: () => Answer;
  /** Of the offer, as in the marketplace file. */
  readonly offer?: Readonly<Record<string, unknown>>;
  readonly more?: Readonly<Record<string, unknown>>;
};

/** Partners in the order in which they get leads; each pays ten less than the one before. `keys` has their keys by name. */
async function openMarket<Name extends string>(partners: Readonly<Record<Name, Partner>>, supplier: object = {}) {
  const names = Object.keys(partners) as Name[];
  const keys = ownKeys(...names);
  const receivers = new Map<Name, Receiver>();
  for (const name of names) {
    const { answers = () => ({}) } = partners[name];
    receivers.set(name, await shared.receive(() => ({ status: 200, body: JSON.stringify(answers()) })));
  }
  const yaml = JSON.stringify({
    marketplace: { retrySeconds: [0, 0, 0], breaker: { failures: 3, probeSeconds: 30 } },
    suppliers: [{ key: 'acme', status: 'approved', ...supplier }],
    partners: names.map((name, index) => ({
      key: keys[name],
      channels: ['webhook'],
      settings: { webhookUrl: `${receivers.get(name)?.origin}/leads` },
      webhook,
      betaTools: ['timeline', 'delivery-logs'],
      offers: [{ key: keys[name], eventType: 'Lead Sale', payout: 60 - 10 * index, ...partners[name].offer }],
      ...partners[name].more,
    })),
  });
  await shared.apply(yaml, { prune: true });
  return {
    ...shared,
    keys,
    receivedBy: (name: Name) => receivers.get(name)?.requests ?? [],
    once: (leadId: string, ...statuses: readonly string[]): Promise<LeadTrace> =>
      eventually(`the deliveries of the lead are ${statuses.join(' and ')}`, async () => {
        const trace = await shared.trace(leadId);
        // The deliveries of a shared lead are in no order.
        const found = trace.deliveries.map(({ status }) => status).toSorted();
        if (found.join() === statuses.toSorted().join()) return trace;
        shared.runtime.wake();
        return null;
      }),
    async get(name: Name, path: string) {
      const token = await shared.buyerToken(keys[name]);
      const { status, json } = await getAsBuyer(shared.url, token, `/api/v1/buyer${path}`);
      expect(status).toBe(200);
      return json;
    },
  };
}

describe('A lead that a partner rejects', () => {
  it('is with the next partner, and costs the first one nothing', async () => {
    const market = await openMarket({
      summit: {
        answers: () => ({ outcome: 'rejected', reason: 'Out of area' }),
        offer: { caps: { daily: 5 }, budget: { daily: 500 } },
        more: { billing: { mode: 'postpaid', creditLimit: 60 } },
      },
      harbor: {},
    });
    const first = await market.once(await market.sell(), 'Failed', 'Confirmed');
    const { summit, harbor } = market.keys;
    expect(first.deliveries).toMatchObject([
      { partner: summit, failure: 'rejected' },
      { partner: harbor, failure: null },
    ]);
    expect(first.attempts).toMatchObject([
      { partner: summit, state: 'exhausted', responseCode: 200, error: 'Rejected by the partner: Out of area' },
      { partner: harbor, state: 'succeeded', error: null },
    ]);
    expect(first.ledger.map(({ partner, amount }) => [partner, amount])).toEqual([[harbor, -50]]);
    // More leads than the cap, the credit and the breaker of the first partner would let through, had they not been given back.
    for (let more = 0; more < 6; more += 1) await market.once(await market.sell(), 'Failed', 'Confirmed');
    expect(market.receivedBy('summit')).toHaveLength(7);
    expect(market.receivedBy('harbor')).toHaveLength(7);
    const counters = await select(
      market.database,
      'SELECT DISTINCT used, used_cents FROM cap_counter WHERE offer_key = $1',
      [summit],
    );
    expect(counters).toEqual([{ used: 0, used_cents: 0 }]);
    expect(await select(market.database, 'SELECT * FROM endpoint_health WHERE owner_key = $1', [summit])).toEqual([]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('shows that partner no person, and says why', async () => {
    const market = await openMarket({
      summit: { answers: () => ({ outcome: 'duplicate', reason: 'Known since May' }) },
      harbor: {},
    });
    const { deliveries } = await market.once(await market.sell(), 'Failed', 'Confirmed');
    const deliveryId = deliveries[0]?.deliveryId ?? '';
    const lead = { fullName: '[not delivered]', email: null, phone: null, debtAmount: null, tcpaConsent: null };
    expect(await market.get('summit', '/leads')).toMatchObject({ data: [{ deliveryId, status: 'Failed', lead }] });
    const timeline = await market.get('summit', `/leads/${deliveryId}/timeline`);
    expect(timeline.events.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/was routed to you/),
      expect.stringMatching(
        /and was the last\. Response 200: Rejected by the partner as a duplicate: Known since May\.$/,
      ),
      'The delivery failed: your system rejected the lead as a duplicate, and you are not charged for it.',
    ]);
    expect(JSON.stringify(await market.get('harbor', '/leads'))).not.toContain('Known since May');
    expect(JSON.stringify(await market.get('harbor', '/delivery-logs'))).not.toContain('Known since May');
  });

  it('shows that partner no person in any other way', async () => {
    const market = await openMarket({ summit: { answers: () => ({ outcome: 'rejected', reason: 'No' }) }, harbor: {} });
    const { deliveries } = await market.once(await market.sell(), 'Failed', 'Confirmed');
    const deliveryId = deliveries[0]?.deliveryId ?? '';
    const { deliveryRef = '' } = deliveries[0] ?? {};
    const [summit, harbor] = [
      await market.signedIn.buyer(market.keys.summit),
      await market.signedIn.buyer(market.keys.harbor),
    ];
    const api = '/portal/api/v1/buyer';
    const ways = [
      ...[`${api}/leads`, `${api}/leads?status=Failed`, `${api}/leads/${deliveryId}`, `${api}/events`],
      ...[
        `${api}/export`,
        `${api}/export?status=Failed`,
        `${api}/leads/${deliveryId}/timeline`,
        `${api}/delivery-logs`,
      ],
      ...[`/portal/api/buyer/deliveries`, `/portal/api/buyer/deliveries/${deliveryId}`, '/portal/api/buyer/offers'],
    ];
    const { email, phone } = market.lastBody() as { email: string; phone: string };
    const number = phone.replace('+1', '');
    const parts = [number.slice(0, 3), number.slice(3, 6), number.slice(6)];
    const person = new RegExp(
      `Jordan|Rivera|jordan\\.rivera|${number}|${parts[0]}[^0-9]{0,2}${parts[1]}[^0-9]?${parts[2]}|24,?500`,
    );
    for (const path of ways) {
      const { status, text } = await summit.get(path);
      expect([path, status, text.match(person)?.[0] ?? null]).toEqual([path, 200, null]);
    }
    // Who has it reads it: the pattern would find it.
    expect((await harbor.get(`${api}/leads`)).text).toMatch(person);
    const search = async (by: string) =>
      (await summit.get('/portal/api/buyer/deliveries', { 'x-search': encodeURIComponent(by) })).json;
    for (const by of ['Rivera', email, phone]) {
      expect(await search(by)).toMatchObject({ total: 0, data: [] });
    }
    expect((await search(deliveryRef)).data).toMatchObject([{ deliveryId, lead: { fullName: '[not delivered]' } }]);
  });

  it('has no buyer where no other partner is left', async () => {
    const market = await openMarket({ summit: { answers: () => ({ outcome: 'rejected' }) } });
    const leadId = await market.sell();
    await eventually('the lead has no buyer', async () => {
      const { lead } = await market.trace(leadId);
      return lead.state === 'rejected' && lead.status === 'No Buyer';
    });
    expect(market.receivedBy('summit')).toHaveLength(1);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('stays with the other partners of a shared sale', async () => {
    const offer = { sale: { sharedWith: 3 }, payout: 30 };
    const market = await openMarket({
      summit: { answers: () => ({ outcome: 'rejected', reason: 'No' }), offer },
      harbor: { offer },
      vista: { offer },
    });
    const { lead, deliveries, ledger } = await market.once(await market.sell(), 'Failed', 'Confirmed', 'Confirmed');
    expect(lead.state).toBe('routed');
    expect(deliveries.find(({ status }) => status === 'Failed')).toMatchObject({
      partner: market.keys.summit,
    });
    expect(ledger.map(({ amount }) => amount)).toEqual([-30, -30]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('can be sent again, takes funds and caps again, and is charged once it is accepted', async () => {
    let outcome: NonNullable<Answer['outcome']> = 'rejected';
    const market = await openMarket({ summit: { answers: () => ({ outcome }), offer: { budget: { daily: 500 } } } });
    const { deliveries } = await market.once(await market.sell(), 'Failed');
    const deliveryId = deliveries[0]?.deliveryId ?? '';
    const { summit } = market.keys;
    const token = await market.buyerToken(summit);
    const again = () => postAsBuyer(market.url, token, `/api/v1/buyer/leads/${deliveryId}/redeliver`);
    expect((await again()).status).toBe(202);
    await eventually('it is rejected again', async () => market.receivedBy('summit').length === 2);
    await eventually('nothing is pending', async () => (await ledgerFaults(market.database)).length === 0);
    outcome = 'accepted';
    expect((await again()).status).toBe(202);
    await eventually('it is accepted', async () => {
      const [delivery] = (await market.get('summit', '/leads')).data;
      return delivery.status === 'Confirmed';
    });
    expect(
      await select(market.database, 'SELECT failure, payout_cents FROM delivery WHERE buyer_key = $1', [summit]),
    ).toEqual([{ failure: null, payout_cents: 6000 }]);
    expect(await ledgerFaults(market.database)).toEqual([]);
    // The partner has it: what a response says of the same message later is only logged.
    outcome = 'rejected';
    expect((await again()).status).toBe(202);
    await eventually('it was sent once more', async () => market.receivedBy('summit').length === 4);
    await eventually('its result is logged', async () => (await ledgerFaults(market.database)).length === 0);
    expect((await market.get('summit', '/leads')).data).toMatchObject([{ status: 'Confirmed', payout: 60 }]);
    const errors = await select(
      market.database,
      'SELECT error FROM attempt WHERE buyer_key = $1 AND error IS NOT NULL ORDER BY attempt_id',
      [summit],
    );
    expect(errors).toEqual(Array.from({ length: 3 }, () => ({ error: 'Rejected by the partner' })));
  });
});

describe('A partner that names reference and price', () => {
  const answered = { price: 'answered', priceMin: 20 };

  it('pays that price, and gets the rest of its funds and budget back', async () => {
    const market = await openMarket(
      {
        summit: {
          answers: () => ({ reference: 'CRM-20418', price: 23.45 }),
          offer: { ...answered, budget: { daily: 100 } },
          more: { billing: { mode: 'prepaid' } },
        },
      },
      { pay: { model: 'share', percent: 50 } },
    );
    const { summit } = market.keys;
    const payment = { buyerKey: summit, type: 'payment', amountCents: 10_000, description: 'Wire' } as const;
    await market.database.tx((tx) =>
      postByHand(tx, { ...payment, idempotencyKey: null, actor: commandLineActor }, new Date()),
    );
    const trace = await market.once(await market.sell(), 'Confirmed');
    expect(trace.ledger.map(({ type, amount }) => [type, amount])).toEqual([['charge', -23.45]]);
    // Half a cent up.
    expect(trace.costs.map(({ amount }) => amount)).toEqual([11.73]);
    const deliveryId = trace.deliveries[0]?.deliveryId ?? '';
    const shown = { deliveryId, payout: 23.45, buyerReference: 'CRM-20418' };
    expect(await market.get('summit', '/leads')).toMatchObject({ data: [shown] });
    expect(await market.get('summit', `/leads/${deliveryId}`)).toMatchObject(shown);
    const operator = await market.operatorToken(['read']);
    const found = await call(`${market.url}/api/v1/operator/leads`, {
      headers: { authorization: `Bearer ${operator}`, 'x-search': 'CRM-20418' },
    });
    expect(found.json.data).toMatchObject([{ leadId: trace.lead.leadId }]);
    // The budget had room for one lead at 60.00, and has room for three at 23.45.
    await market.once(await market.sell(), 'Confirmed');
    const held = await select(market.database, 'SELECT held_cents, balance_cents FROM account WHERE account_key = $1', [
      `buyer:${summit}`,
    ]);
    expect(held).toEqual([{ held_cents: 0, balance_cents: 10_000 - 2 * 2345 }]);
    expect(
      await select(market.database, 'SELECT DISTINCT used, used_cents FROM cap_counter WHERE offer_key = $1', [summit]),
    ).toEqual([{ used: 2, used_cents: 4690 }]);
    expect(await ledgerFaults(market.database)).toEqual([]);
    const messages = market.receivedBy('summit').map(({ body }) => JSON.parse(body));
    expect(messages).toMatchObject([{ most: 60 }, { most: 60 }]);
    const events = (await market.get('summit', '/events')).data;
    expect(events[0].data).toMatchObject({ payout: 60 });
    expect(events[0].data).not.toHaveProperty('buyerReference');
  });

  it('is held to the bounds of the sale, whatever the offer says meanwhile', async () => {
    let answer: Answer = { price: 19.99 };
    const market = await openMarket({ summit: { answers: () => answer, offer: answered }, harbor: {} });
    const low = await market.once(await market.sell(), 'Failed');
    expect(low).toMatchObject({ lead: { state: 'routed' }, deliveries: [{ failure: null }], ledger: [] });
    answer = { price: 60.01 };
    await market.once(await market.sell(), 'Failed');
    expect(market.receivedBy('harbor')).toEqual([]);
    answer = { price: 60 };
    expect((await market.once(await market.sell(), 'Confirmed')).ledger).toMatchObject([{ amount: -60 }]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('may write it as amounts are written, and is charged a price set by hand where it cannot be read', async () => {
    let answer: Answer = { price: '$1,023.4550' };
    const most = { ...answered, payout: 2000 };
    const market = await openMarket(
      { summit: { answers: () => answer, offer: most } },
      { pay: { model: 'share', percent: 50 } },
    );
    const { summit } = market.keys;
    expect((await market.once(await market.sell(), 'Confirmed')).ledger).toMatchObject([{ amount: -1023.46 }]);
    answer = { price: 'as agreed' };
    const leadId = await market.sell();
    const failed = await market.once(leadId, 'Failed');
    const id = failed.deliveries[0]?.deliveryId ?? '';
    const authorization = `Bearer ${await market.operatorToken(['read', 'money'])}`;
    const ask = (path: string, body?: object) =>
      call(`${market.url}/api/v1/operator${path}`, {
        headers: { authorization },
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
    const ada = await market.signedIn.operator('ada');
    const warned = await eventually('the lost price is a warning', async () => {
      const { json } = await ada.get('/console/api/health');
      return json.warnings.find(({ kind, subject }: Json) => kind === 'prices_unread' && subject === summit) ?? null;
    });
    expect(warned).toMatchObject({ severity: 'high', money: 2000 });
    const codes = [];
    for (const price of [19.99, 2000.01, 0, 1.001])
      codes.push((await ask(`/deliveries/${id}/price`, { price })).json.code);
    expect(codes).toEqual(['price_out_of_bounds', 'price_out_of_bounds', 'validation_failed', 'validation_failed']);
    const [set, again, other] = [
      await ask(`/deliveries/${id}/price`, { price: 23.45 }),
      await ask(`/deliveries/${id}/price`, { price: 23.45 }),
      await ask(`/deliveries/${id}/price`, { price: 24 }),
    ];
    expect([set.status, set.json.price, again.status, other.json.code]).toEqual([
      200,
      23.45,
      200,
      'delivery_not_unpriced',
    ]);
    const trace = await market.once(leadId, 'Confirmed');
    expect(trace.ledger.map(({ type, amount }) => [type, amount])).toEqual([['charge', -23.45]]);
    expect(trace.costs.map(({ amount }) => amount)).toEqual([11.73]);
    // It was not sent again.
    expect(market.receivedBy('summit')).toHaveLength(2);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('has no say where the price is fixed', async () => {
    const market = await openMarket({ summit: { answers: () => ({ price: 0.01 }) } });
    expect((await market.once(await market.sell(), 'Confirmed')).ledger).toMatchObject([{ amount: -60 }]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});

describe('Erasing a person', () => {
  it('erases the reasons and references of partners', async () => {
    const market = await openMarket({
      summit: { answers: () => ({ outcome: 'rejected', reason: 'We know Jordan Rivera' }) },
      harbor: { answers: () => ({ reference: 'jordan-rivera' }) },
    });
    const leadId = await market.sell();
    await market.once(leadId, 'Failed', 'Confirmed');
    const leadIds = [(uuidOf('lead', leadId) ?? '') as LeadId];
    await market.database.tx((tx) => eraseDataSubjects(tx, { leadIds, audit: null }, new Date()));
    const { attempts, deliveries } = await market.trace(leadId);
    expect(attempts.map(({ error }) => error)).toEqual(['erased', null]);
    expect(deliveries.map(({ buyerReference }) => buyerReference)).toEqual([null, null]);
    expect(
      await select(
        market.database,
        'SELECT r.* FROM delivery_reference r JOIN delivery d USING (delivery_id) WHERE d.lead_id = ANY($1)',
        [leadIds],
      ),
    ).toEqual([]);
  });
});
