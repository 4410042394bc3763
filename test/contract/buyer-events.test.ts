// Tests GET events: every message to a partner's webhook, in order, each once (contract 6.3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type DeliveryId, newUuid, typeId, uuidOf } from '../../src/base/ids.ts';
import { appendBuyerEvents, purgeBuyerEvents } from '../../src/deliveries/feed/buyer-events.ts';
import { type ApiResponse, getAsBuyer, postLead, problem, problemFacts } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import { type Planted, plantDeliveries, type Seed } from '../deliveries/plant-deliveries.ts';
import { betaMarketYaml } from './beta-market.ts';
import { sampleLead } from './market.ts';

const PATH = '/api/v1/buyer/events';
const at = (day: number): Date => new Date(Date.UTC(2026, 9, day, 12));

const get = (market: TestMarketplace, token: string, query = ''): Promise<ApiResponse> =>
  getAsBuyer(market.url, token, PATH + query);

/** Deliveries with their numbers in the feed, as routing writes them. */
async function plantInFeed(
  { database }: TestMarketplace,
  buyerKey: string,
  seeds: readonly Seed[],
): Promise<Planted[]> {
  const planted = await plantDeliveries(database, buyerKey, seeds);
  for (const { deliveryId: subjectId, at: deliveredAt } of planted) {
    const event = { buyerKey, type: 'lead.delivered', subjectId } as const;
    await database.tx((tx) => appendBuyerEvents(tx, [event], deliveredAt));
  }
  return planted;
}

/** Every event after the cursor, in pages of this size. */
async function drain(market: TestMarketplace, token: string, limit: number, after?: string): Promise<Json[]> {
  const seen: Json[] = [];
  let cursor = after;
  for (;;) {
    const query = `?limit=${limit}${cursor === undefined ? '' : `&after=${cursor}`}`;
    const { status, json } = await get(market, token, query);
    expect(status).toBe(200);
    expect(json.data.length).toBeLessThanOrEqual(limit);
    seen.push(...json.data);
    cursor = json.next;
    if (!json.hasMore) return seen;
    expect(json.data).toHaveLength(limit);
  }
}

const NO_PERSON = {
  fullName: '[not delivered]',
  ...{ email: null, phone: null, state: null, debtAmount: null, tcpaConsent: null, consentTimestamp: null },
  ...{ leadIp: null, utmSource: null, sourceUrl: null },
};

describe('A lead that was sold', () => {
  let market: TestMarketplace;
  let receiver: Receiver;
  let key: string;
  let summit: string;
  let quiet: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    market = await startTestMarketplace({ yaml: betaMarketYaml(receiver), allowTargets: [receiver.origin] });
    key = await market.supplierKey('acme-media');
    [summit, quiet] = [await market.buyerToken('summit'), await market.buyerToken('quiet')];
  });
  afterAll(async () => {
    await market.close();
    await receiver.close();
  });

  it('is an event with the id and the body of its webhook', async () => {
    await postLead(market.url, key, sampleLead(1));
    const delivery = await eventually('it is confirmed', async () => {
      const { data } = (await getAsBuyer(market.url, summit, '/api/v1/buyer/leads')).json;
      return data[0]?.status === 'Confirmed' ? data[0] : null;
    });
    const { status, headers, json } = await get(market, summit);
    expect([status, headers.get('cache-control'), Object.keys(json)]).toEqual([
      200,
      'no-store',
      ['data', 'next', 'hasMore'],
    ]);
    expect(json).toEqual({
      data: [
        {
          eventId: delivery.deliveryId,
          type: 'lead.delivered',
          timestamp: delivery.deliveredAt,
          // As it was sold: status and return in the list change later.
          data: {
            ...delivery,
            status: 'Pending',
            confirmedAt: null,
            returnable: { ...delivery.returnable, reason: 'delivery_not_confirmed' },
          },
        },
      ],
      next: expect.stringMatching(/^evc_[0-9a-z]+$/),
      hasMore: false,
    });
    const shown = receiver.requests[0];
    const { eventId, ...body } = json.data[0];
    expect([shown?.headers['webhook-id'], shown?.body]).toEqual([eventId, JSON.stringify(body)]);
  });

  it('is an event for a partner without a webhook as well, and for no other partner', async () => {
    const before = (await get(market, summit)).text;
    await postLead(market.url, key, sampleLead(2, { state: 'WA' }));
    const { data } = await eventually('the event is there', async () => {
      const { json } = await get(market, quiet);
      return json.data.length > 0 ? json : null;
    });
    expect(data).toMatchObject([{ type: 'lead.delivered', data: { status: 'Confirmed', lead: { state: 'WA' } } }]);
    expect((await get(market, summit)).text).toBe(before);
  });

  it('shows no personal data once its delivery failed, and all other members', async () => {
    const [planted] = await plantInFeed(market, 'harbor', [{ at: at(1), status: 'Failed' }]);
    const harbor = await market.buyerToken('harbor');
    const { json, text } = await get(market, harbor);
    expect(json.data).toMatchObject([
      {
        eventId: typeId('delivery', (planted?.deliveryId ?? '') as DeliveryId),
        data: { status: 'Pending', returned: false, lead: NO_PERSON },
      },
    ]);
    for (const word of ['Jordan', 'jordan', '15555550123', '203.0.113.24'])
      expect([word, text.includes(word)]).toEqual([word, false]);
  });

  it('is an event without supplier, score and offer', async () => {
    const { text } = await get(market, summit);
    for (const word of ['acme', 'score', 'offer', 'harbor', 'A-1'])
      expect([word, text.includes(word)]).toEqual([word, false]);
  });
});

describe('The feed of events', () => {
  let market: TestMarketplace;
  let token: string;
  let other: string;
  let ids: string[];

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: betaMarketYaml({ origin: 'https://crm.example' }), role: 'api' });
    [token, other] = [await market.buyerToken('summit'), await market.buyerToken('harbor')];
    const planted = await plantInFeed(
      market,
      'summit',
      Array.from({ length: 23 }, (_, index) => ({ at: at(index + 1) })),
    );
    await plantInFeed(market, 'harbor', [{ at: at(1) }, { at: at(2) }]);
    ids = planted.map(({ deliveryId }) => typeId('delivery', deliveryId));
  });
  afterAll(() => market.close());

  it.each([1, 2, 5, 7, 22, 23, 24, 1000])(
    'has in pages of %i the same events, each once and in order',
    async (limit) => {
      expect((await drain(market, token, limit)).map(({ eventId }) => eventId)).toEqual(ids);
    },
  );

  it('has 100 events on a page by default', async () => {
    const { json } = await get(market, token);
    expect([json.data.length, json.hasMore]).toEqual([23, false]);
  });

  it('continues where it ended, also after an empty page', async () => {
    const end = (await get(market, token)).json.next;
    const empty = await get(market, token, `?after=${end}`);
    expect([empty.status, empty.json]).toEqual([200, { data: [], next: end, hasMore: false }]);
    const [planted] = await plantInFeed(market, 'summit', [{ at: at(24) }]);
    const news = await drain(market, token, 10, end);
    expect(news.map(({ eventId }) => eventId)).toEqual([typeId('delivery', (planted?.deliveryId ?? '') as DeliveryId)]);
    ids.push(news[0]?.eventId);
  });

  it('returns a cursor when it is empty, from which all later events follow', async () => {
    const quiet = await market.buyerToken('quiet');
    const { json } = await get(market, quiet);
    expect(json).toEqual({ data: [], next: expect.stringMatching(/^evc_/), hasMore: false });
    await plantInFeed(market, 'quiet', [{ at: at(1) }]);
    expect(await drain(market, quiet, 10, json.next)).toHaveLength(1);
  });

  it('shows a delivery as it was sold, also after its return', async () => {
    await market.database.pool.query(
      `UPDATE delivery SET status = 'Returned', returned_at = delivered_at WHERE delivery_id = $1`,
      [uuidOf('delivery', ids[0] ?? '')],
    );
    const { json } = await get(market, token, '?limit=1');
    expect(json.data[0].data).toMatchObject({ deliveryId: ids[0], status: 'Pending', returned: false, claim: null });
  });

  it('allows events that are no deliveries', async () => {
    const plain = await market.buyerToken('plain');
    const claims = [newUuid(), newUuid()] as const;
    await market.database.tx((tx) =>
      appendBuyerEvents(
        tx,
        [
          { buyerKey: 'plain', type: 'return.reviewed', subjectId: claims[0] },
          { buyerKey: 'plain', type: 'dispute.reviewed', subjectId: claims[1] },
        ],
        at(3),
      ),
    );
    const seen = await drain(market, plain, 1);
    expect(seen.map(({ eventId, type, timestamp }) => [eventId, type, timestamp])).toEqual([
      [typeId('event', claims[0]), 'return.reviewed', at(3).toISOString()],
      [typeId('event', claims[1]), 'dispute.reviewed', at(3).toISOString()],
    ]);
  });

  it.each([
    ['limit=0', 'limit', 'out_of_range'],
    ['limit=1001', 'limit', 'out_of_range'],
    ['limit=1.5', 'limit', 'wrong_type'],
    ['limit=', 'limit', 'empty'],
    ['limit=1&limit=1', 'limit', 'repeated'],
    ['after=', 'after', 'empty'],
    ['after=a&after=b', 'after', 'repeated'],
    ['after=1', 'after', 'invalid_format'],
    ['after=evc_', 'after', 'invalid_format'],
    ['after=evc_zzzzzzzzzz', 'after', 'invalid_format'],
    ['after=%00', 'after', 'invalid_format'],
    [`after=${'x'.repeat(5000)}`, 'after', 'invalid_format'],
  ])('rejects %s', async (query, field, code) => {
    const response = await get(market, token, `?${query}`);
    expect(problemFacts(response)).toEqual(problem(400, 'invalid_query', 'errors'));
    expect(response.json.errors).toEqual([{ field, code, message: expect.any(String) }]);
  });

  it('rejects another partner’s cursor for the same position', async () => {
    const { next } = (await get(market, other)).json;
    const response = await get(market, token, `?after=${next}`);
    expect(problemFacts(response)).toEqual(problem(400, 'invalid_query', 'errors'));
  });

  it('rejects a cursor beyond the end of the feed', async () => {
    const end = (await get(market, token)).json.next;
    await market.database.pool.query(`CREATE TABLE kept AS SELECT * FROM buyer_event WHERE buyer_key = 'summit'`);
    await market.database.pool.query(`DELETE FROM buyer_event WHERE buyer_key = 'summit' AND number > 20`);
    await market.database.pool.query(`UPDATE buyer_event_head SET last_number = 20 WHERE buyer_key = 'summit'`);
    const response = await get(market, token, `?after=${end}`);
    expect([response.status, response.json.code]).toEqual([400, 'invalid_query']);
    await market.database.pool.query(`INSERT INTO buyer_event SELECT * FROM kept WHERE number > 20`);
    await market.database.pool.query(
      `UPDATE buyer_event_head SET last_number = (SELECT max(number) FROM kept) WHERE buyer_key = 'summit'`,
    );
  });
});

describe('Events past their retention', () => {
  let market: TestMarketplace;
  let token: string;
  let cursors: string[];

  const purge = (before: Date, atOnce?: number): Promise<number> =>
    market.database.tx((tx) => purgeBuyerEvents(tx, before, atOnce));

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: betaMarketYaml({ origin: 'https://crm.example' }), role: 'api' });
    token = await market.buyerToken('summit');
    await plantInFeed(
      market,
      'summit',
      Array.from({ length: 10 }, (_, index) => ({ at: at(index + 1) })),
    );
    await plantInFeed(market, 'harbor', [{ at: at(1) }, { at: at(9) }]);
    cursors = [];
    for (let cursor = ''; cursors.length < 10;) {
      const { json } = await get(market, token, `?limit=1${cursor === '' ? '' : `&after=${cursor}`}`);
      cursors.push((cursor = json.next));
    }
  });
  afterAll(() => market.close());

  it('are deleted by age, in parts, for every partner', async () => {
    expect(await purge(at(1))).toBe(0);
    expect(await purge(at(4), 40)).toBe(3);
    expect(await purge(at(4), 40)).toBe(1);
    expect(await purge(at(4), 40)).toBe(0);
  });

  it('make earlier cursors expire, with instructions in the error', async () => {
    const [expired, last] = [
      await get(market, token, `?after=${cursors[1]}`),
      await get(market, token, `?after=${cursors[2]}`),
    ];
    expect(problemFacts(expired)).toEqual(problem(410, 'cursor_expired'));
    expect([last.status, last.json.data.length]).toEqual([200, 7]);
    const page = await fetch(market.url + expired.json.type);
    expect(await page.text()).toContain('without <code>after</code>');
  });

  it('are left out for a reader that starts again', async () => {
    expect(await drain(market, token, 3)).toHaveLength(7);
  });

  it('can be all events: the last cursor is still valid, and so is a new start', async () => {
    while ((await purge(at(30))) > 0);
    const [expired, last, anew] = [
      await get(market, token, `?after=${cursors[8]}`),
      await get(market, token, `?after=${cursors[9]}`),
      await get(market, token),
    ];
    expect([expired.status, last.status, last.json.next]).toEqual([410, 200, cursors[9]]);
    expect(anew.json).toEqual({ data: [], next: cursors[9], hasMore: false });
  });

  it('are deleted from the lowest number on, without gaps, when clocks disagree', async () => {
    const numbers = async (): Promise<unknown[]> =>
      (
        await market.database.pool.query(`SELECT number FROM buyer_event WHERE buyer_key = 'plain' ORDER BY number`)
      ).rows.map(({ number }) => Number(number));
    const event = { buyerKey: 'plain', type: 'return.reviewed', subjectId: newUuid() } as const;
    for (const day of [1, 3, 2, 4]) await market.database.tx((tx) => appendBuyerEvents(tx, [event], at(day)));
    await purge(at(3));
    expect(await numbers()).toEqual([2, 3, 4]);
    await purge(at(4));
    expect(await numbers()).toEqual([4]);
  });
});
