// The search in a partner's deliveries: results, tenancy, and bounded work for large accounts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type DeliveryId, typeId, uuidOf } from '../../src/base/ids.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../src/deliveries/delivery.ts';
import { findDeliveries, type SearchBounds } from '../../src/deliveries/search/find-deliveries.ts';
import { readSearch } from '../../src/deliveries/search/search-query.rules.ts';
import { plantDeliveries, type Seed } from '../deliveries/plant-deliveries.ts';
import { command, PERSON, privacyYaml } from '../privacy/privacy-market.ts';
import { getAsBuyer, postLead } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { SignedIn } from '../support/signed-in.ts';

const LIST = '/portal/api/buyer/deliveries';

let receiver: Receiver;
let market: TestMarketplace;
let summit: SignedIn;
let harbor: SignedIn;
let at = Date.parse('2026-11-02T08:00:00Z');

beforeAll(async () => {
  receiver = await startReceiver();
  market = await startTestMarketplace({ yaml: privacyYaml(receiver.origin), allowTargets: [receiver.origin] });
  summit = await market.signedIn.buyer('summit');
  harbor = await market.signedIn.buyer('harbor');
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

/** One per minute, with TypeIDs in that order. */
async function plant(partner: string, seeds: ReadonlyArray<Partial<Seed>>): Promise<string[]> {
  const dated = seeds.map((seed) => ({ at: new Date((at += 60_000)), ...seed }));
  const planted = await plantDeliveries(market.database, partner, dated);
  return planted.map(({ deliveryId }) => typeId('delivery', deliveryId));
}

async function search(text: string, more: Readonly<Record<string, string>> = {}, who: SignedIn = summit) {
  const response = await who.get(`${LIST}?${new URLSearchParams(more).toString()}`, {
    'x-search': encodeURIComponent(text.toWellFormed()),
  });
  if (response.status !== 200) throw new Error(response.text);
  return response.json;
}

const idsOf = (json: { data: Array<{ deliveryId: string }> }): string[] =>
  json.data.map(({ deliveryId }) => deliveryId);
const found = async (text: string, more?: Readonly<Record<string, string>>, who?: SignedIn): Promise<string[]> =>
  idsOf(await search(text, more, who));

describe('the delivery search', () => {
  it('finds a person by words of the name, phone number or its last digits, and email address', async () => {
    const fields = { fullName: 'Zoë Ángel Quintero', email: 'Zoe.Q+ads@Example.org', phone: '+442071838750' };
    const [id] = await plant('summit', [{ fields }]);
    const texts = ['zoe', 'ANGEL', 'quint', 'quintero zoë', 'z q', '8750', '020 7183 8750', '+44 20 7183 8750'];
    for (const text of [...texts, 'zoe.q@example.org', 'ZOE.Q+else@EXAMPLE.ORG', 'zoe.q@ex']) {
      expect([text, await found(text)]).toEqual([text, [id]]);
    }
    for (const text of ['oe', 'quinterox', 'zoe bob', '08750', 'q@example.org', 'zoe.q@example.com']) {
      expect([text, await found(text)]).toEqual([text, []]);
    }
  });

  it('finds a delivery by its own reference or id only', async () => {
    const [id = '', booking = ''] = await plant('summit', [
      {},
      { eventType: 'Calendar Assigned', appointmentAt: new Date('2026-11-24T17:30:00Z') },
    ]);
    const refs = (await summit.get(`${LIST}/${booking}`)).json.delivery.deliveryRef as string;
    const ref = (await summit.get(`${LIST}/${id}`)).json.delivery.deliveryRef as string;
    expect([await found(ref), await found(ref.toLowerCase()), await found(id)]).toEqual([[id], [id], [id]]);
    expect(await found(ref.replace('LS-', ''))).toContain(id);
    expect([await found(refs), await found(refs.replace('CA', 'LS'))]).toEqual([[booking], []]);
    expect(await found(refs, { eventType: 'Lead Sale' })).toEqual([]);
    expect([await found(ref, {}, harbor), await found(id, {}, harbor)]).toEqual([[], []]);
  });

  it('finds names in any script, shown as sent', async () => {
    for (const fullName of ['王小明', 'Мария Иванова', 'أحمد', '🙂 Ünïcøde <b>Tom</b>', 'Null\u200bByte']) {
      const [id] = await plant('summit', [{ fields: { fullName } }]);
      const json = await search(fullName);
      expect(idsOf(json)).toEqual([id]);
      expect(json.data[0].lead.fullName).toBe(fullName);
    }
  });

  it('applies the filters, and pages through all results once, newest first', async () => {
    const statuses: DeliveryStatus[] = ['Confirmed', 'Returned', 'Failed', 'Pending', 'Confirmed'];
    const planted = await plant(
      'summit',
      statuses.map((status, index) => ({
        status,
        at: new Date(Date.parse('2026-10-05T12:00:00Z') + index * 86_400_000),
        fields: { fullName: `Filtered Person${index}` },
        ...(index === 4
          ? { eventType: 'Calendar Assigned' as const, appointmentAt: new Date('2026-10-24T17:30:00Z') }
          : {}),
      })),
    );
    const [a, b, c, d, e] = planted;
    // A failed delivery is not found by personal data.
    expect(await found('filtered')).toEqual([e, d, b, a]);
    expect(await found('filtered', { status: 'failed' })).toEqual([]);
    expect(await found(c ?? '')).toEqual([c]);
    expect(await found('filtered', { eventType: 'Lead Sale', status: 'Confirmed' })).toEqual([a]);
    expect(await found('filtered', { eventType: 'Calendar Assigned' })).toEqual([e]);
    expect(await found('filtered', { from: '2026-10-06', to: '2026-10-07' })).toEqual([b]);
    const second = await search('filtered', { page: '2', pageSize: '2' });
    expect([idsOf(second), second.total, second.totalPages, second.backTo]).toEqual([[b, a], 4, 2, null]);
    expect(idsOf(await search('filtered', { page: '99' }))).toEqual([]);
    expect((await search('filtered', { page: '999999999999999' })).total).toBe(4);
  });

  it('returns the same rows as the list', async () => {
    await plant('summit', [{ fields: { fullName: 'Samefield Asthelist' } }]);
    const { json } = await getAsBuyer(
      market.url,
      await market.buyerToken('summit'),
      '/api/v1/buyer/leads?pageSize=100',
    );
    const [one] = (await search('asthelist')).data;
    expect(json.data).toContainEqual(one);
  });

  it('lists everything without a search text, also by kind', async () => {
    const { json } = await summit.get(`${LIST}?pageSize=100`);
    expect(json).toMatchObject({ total: json.data.length, backTo: null, tooShort: false });
    const kinds = ['Lead Sale', 'Calendar Assigned'];
    const parts = await Promise.all(
      kinds.map(
        async (eventType) => (await summit.get(`${LIST}?pageSize=100&eventType=${encodeURIComponent(eventType)}`)).json,
      ),
    );
    expect(parts.map(({ total }) => total).reduce((sum, n) => sum + n, 0)).toBe(json.total);
    for (const [index, part] of parts.entries()) {
      expect(part.data.length).toBe(part.total);
      expect(new Set(part.data.map(({ eventType }: { eventType: string }) => eventType))).toEqual(
        new Set([kinds[index]]),
      );
    }
  });

  it('reports too few digits', async () => {
    expect(await search('123')).toMatchObject({ total: 0, tooShort: true, data: [] });
  });
});

describe('a search request', () => {
  it('finds no deliveries of other partners', async () => {
    await plant('harbor', [
      { fields: { fullName: 'Onlyharbor Person', email: 'only@harbor.example', phone: '+12025559876' } },
    ]);
    for (const text of ['onlyharbor', 'only@harbor.example', '9876']) {
      expect([text, await found(text), (await found(text, {}, harbor)).length]).toEqual([text, [], 1]);
    }
  });

  it.each([
    ['%'],
    ['_'],
    [`' OR 1=1 --`],
    [`n%' UNION SELECT secret_hash FROM credential --`],
    ['\\'],
    ['n'.repeat(200)],
    ['\u{10FFFF}'],
    ['<script>alert(1)</script>'],
    ['{"$ne":null}'],
  ])('returns a list for %j', async (text) => {
    await plant('harbor', [{ fields: { fullName: 'N Harbor' } }]);
    const json = await search(text);
    const foreign = new Set(idsOf((await harbor.get(`${LIST}?pageSize=100`)).json));
    expect(idsOf(json).filter((id) => foreign.has(id))).toEqual([]);
  });

  it.each([
    ['eventType', 'eventType=Sale'],
    ['page', 'page=0'],
    ['pageSize', 'pageSize=101'],
    ['from', 'from=2026-02-30'],
    ['status', 'status=Lost'],
  ])('refuses an invalid %s', async (field, query) => {
    const { status, json } = await summit.get(`${LIST}?${query}`);
    expect([status, json.code, json.errors.map((fault: { field: string }) => fault.field)]).toEqual([
      400,
      'invalid_query',
      [field],
    ]);
  });

  it.each([['x'.repeat(201)], [''], ['%'], ['%ff'], ['%00'], ['a%00b@example.com']])(
    'may search for %j',
    async (text) => {
      const { status, json } = await summit.get(LIST, { 'x-search': text });
      expect([status, json.code, json.errors.map((fault: { field: string }) => fault.field)]).toEqual([
        400,
        'invalid_query',
        ['x-search'],
      ]);
    },
  );

  it('requires a session', async () => {
    const response = await fetch(`${market.url}${LIST}`, { headers: { 'x-search': 'jordan' } });
    expect(response.status).toBe(401);
  });

  it('responds 404 to another partner’s or an unknown delivery', async () => {
    const [own = ''] = await plant('harbor', [{}]);
    const unknown = typeId('delivery', '019f1d54-1a2b-7c3d-8e4f-5a6b7c8d9e0f' as DeliveryId);
    const responses = await Promise.all([own, unknown, 'dlv_x', '..%2f'].map((id) => summit.get(`${LIST}/${id}`)));
    expect(responses.map(({ status, json }) => [status, json.code])).toEqual(
      responses.map(() => [404, 'delivery_not_found']),
    );
    expect((await harbor.get(`${LIST}/${own}`)).status).toBe(200);
  });
});

describe('a routed lead', () => {
  it('is found at once, and no longer after erasure', async () => {
    const key = await market.supplierKey('acme-media');
    const response = await postLead(market.url, key, PERSON);
    expect(response.status).toBe(202);
    await eventually('it is found', async () => (await found('brightwater')).length === 1);
    const [id = ''] = await found('quillon.brightwater@canary-mail.example');
    expect([await found('5550187'), await found('brightwater quillon')]).toEqual([[id], [id]]);
    // An erasure fails pending deliveries, and a failed delivery shows nothing of its lead.
    const before = await eventually('it is confirmed', async () => {
      const { json } = await summit.get(`${LIST}/${id}`);
      return json.delivery.status === 'Confirmed' ? json : null;
    });
    expect(before).toMatchObject({
      isErased: false,
      consent: { given: true, version: 'v7', leadIp: '203.0.113.217' },
      campaign: { campaign: 'zyxwvucampaign' },
    });
    expect(JSON.stringify(before)).not.toMatch(/certificate-4711|agree to be called|acme|zyxwvuextra/i);

    const { exitCode } = await command(market.database, 'lead', 'erase', id);
    expect(exitCode).toBe(0);
    for (const text of [
      'brightwater',
      'quillon',
      'quillon.brightwater@canary-mail.example',
      '5550187',
      '+12025550187',
    ]) {
      expect([text, await found(text)]).toEqual([text, []]);
    }
    expect(await rowsOf(id)).toEqual([]);
    const after = (await summit.get(`${LIST}/${id}`)).json;
    const consent = { given: true, at: '2026-11-20T17:03:11.000Z', version: 'v7' };
    expect(after).toMatchObject({ isErased: true, consent });
    const ref = after.delivery.deliveryRef as string;
    expect(await found(ref)).toEqual([id]);
  });
});

async function rowsOf(id: string): Promise<unknown[]> {
  return select(market.database, 'SELECT * FROM delivery_search WHERE delivery_id = $1', [uuidOf('delivery', id)]);
}

describe('with the bounds of a very large account', () => {
  const partner = 'dawn';
  const NAMES = ['Ann Lee', 'Ann Bo', 'Bo Lee', 'Lee Ann Bo', 'Cy Lee'];
  const STATES = ['CA', 'NY', 'TX'];
  type Known = { id: string; name: string; state: string; status: DeliveryStatus; at: number };
  const known: Known[] = [];

  beforeAll(async () => {
    for (let index = 0; index < 120; index += 1) {
      const name = NAMES[index % NAMES.length] ?? '';
      const state = STATES[index % STATES.length] ?? '';
      const status = deliveryStatuses[index % 4] ?? 'Pending';
      const seed = { at: new Date(Date.parse('2026-09-01T00:00:00Z') + index * 7_200_000), status };
      const [id = ''] = await plant(partner, [
        { ...seed, fields: { fullName: name, state, email: null, phone: null } },
      ]);
      known.push({ id, name, state, status, at: seed.at.getTime() });
    }
  });

  it('pages of a filter without a search equal filtering everything, or report from when on they do', async () => {
    const anyBounds = fc.record({
      terms: fc.constant(0),
      hits: fc.constant(0),
      walk: fc.integer({ min: 1, max: 130 }),
      walkFound: fc.integer({ min: 1, max: 130 }),
    });
    const anyQuery = fc.record({
      state: fc.constantFrom(...STATES),
      status: fc.option(fc.constantFrom(...deliveryStatuses)),
      page: fc.integer({ min: 1, max: 6 }),
      pageSize: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(anyQuery, anyBounds, async ({ state, status, page, pageSize }, bounds: SearchBounds) => {
        const narrowing = { source: null, state, offerKey: null, claim: null };
        const query = { page, pageSize, status, narrowing, from: null, until: null };
        const { total, backTo, rows } = await market.database.tx(
          (tx) => findDeliveries(tx, partner, { query, parsed: null, bounds }),
          { snapshot: true },
        );
        const matching = known
          .filter((one) => one.status !== 'Failed' && one.state === state)
          .filter((one) => status === null || one.status === status)
          .filter((one) => backTo === null || one.at >= backTo.getTime())
          .toReversed();
        expect(total).toBe(matching.length);
        const expected = matching.slice((page - 1) * pageSize, page * pageSize);
        expect(rows.map(({ deliveryId }) => typeId('delivery', deliveryId))).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 100 },
    );
  });

  it('every page equals filtering everything, or reports from when on it does', async () => {
    const anyBounds = fc.record({
      terms: fc.integer({ min: 0, max: 200 }),
      hits: fc.integer({ min: 0, max: 200 }),
      walk: fc.integer({ min: 1, max: 130 }),
      walkFound: fc.integer({ min: 1, max: 130 }),
    });
    const anyQuery = fc.record({
      text: fc.constantFrom('ann', 'lee ann', 'bo', 'l', 'cy', 'nobody', 'ann cy'),
      status: fc.option(fc.constantFrom(...deliveryStatuses)),
      page: fc.integer({ min: 1, max: 6 }),
      pageSize: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(anyQuery, anyBounds, async ({ text, status, page, pageSize }, bounds: SearchBounds) => {
        const reading = readSearch(text);
        if (!reading.ok) throw new Error(text);
        const query = { page, pageSize, status, from: null, until: null };
        const { total, backTo, rows } = await market.database.tx(
          (tx) => findDeliveries(tx, partner, { query, parsed: reading.parsed, bounds }),
          { snapshot: true },
        );
        const words = text.split(' ');
        const matching = known
          .filter((one) => one.status !== 'Failed')
          .filter((one) => status === null || one.status === status)
          .filter((one) => backTo === null || one.at >= backTo.getTime())
          .filter((one) => words.every((word) => ` ${one.name.toLowerCase()}`.includes(` ${word}`)))
          .toReversed();
        expect(total).toBe(matching.length);
        const expected = matching.slice((page - 1) * pageSize, page * pageSize);
        expect(rows.map(({ deliveryId }) => typeId('delivery', deliveryId))).toEqual(expected.map(({ id }) => id));
        // An incomplete page must have searched up to the bound.
        if (backTo !== null) expect(known.filter((one) => one.at >= backTo.getTime()).length).toBeGreaterThan(0);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the migration of search terms', () => {
  it('fills in the terms of existing deliveries', async () => {
    const sql = await readFile(join(import.meta.dirname, '../../migrations/0015-delivery-search.sql'), 'utf8');
    const [insert] = /^INSERT INTO delivery_search[\s\S]*?;$/m.exec(sql) ?? [];
    const names = [
      'José Núñez-O’Brien',
      '"Quoted" \\ Name',
      'Ann Ann',
      '王小明',
      'Tab\tName',
      'a b c d e f g h',
      '🙂',
      `x'y`,
    ];
    for (const [index, fullName] of names.entries()) {
      const email = index % 2 === 0 ? null : 'A.B+tag@Example.com';
      await plant('night', [{ fields: { fullName, email, phone: '+12025550111' } }]);
    }
    // The database does not normalize the letters of the others.
    const read = () =>
      select(market.database, `SELECT * FROM delivery_search WHERE buyer_key = 'night' ORDER BY delivery_id`);
    const written = await read();
    expect(written.length).toBe(names.length);
    await market.database.pool.query('DELETE FROM delivery_search');
    await market.database.pool.query(insert ?? '');
    expect(await read()).toEqual(written);
  });
});
