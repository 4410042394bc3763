// A supplier's own submissions: list, search by id, and details of one.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { FIRST_ID, LAST_ID, newUuidAt } from '../../src/base/id-time.ts';
import { type LeadId, uuidOf } from '../../src/base/ids.ts';
import { findLeadsByContact, findOldestLeadsByContact, type LeadRange } from '../../src/leads/find-leads.ts';
import { scanAll, sumAll } from '../../src/leads/submission.sql.ts';
import { logStateChanges, purgeCallbacks } from '../../src/messages/callback-log.ts';
import { statement, type Tx } from '../../src/platform/database/database.ts';
import { sampleLead } from '../contract/market.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startSupplierMarket, type SupplierMarket } from './supplier-market.ts';

let market: SupplierMarket;
let acme: SignedIn;
let brightform: SignedIn;
let sold: Json;
let unsold: Json;

beforeAll(async () => {
  market = await startSupplierMarket();
  acme = await market.market.signedIn.supplier('acme-media');
  brightform = await market.market.signedIn.supplier('brightform');
  sold = await market.post('acme-media', leadBody(1));
  unsold = await market.post('acme-media', leadBody(2, { state: 'NY', consent_timestamp: null }));
  await market.post('acme-media', { external_id: 'bad', phone: 'none' });
  await market.post('acme-media', { external_id: 'bad', full_name: 'Ann Lee', phone: 'none', email: 'a@b.example' });
  await market.post('acme-media', leadBody(3, { external_id: 'lead-1', test: true }));
  await market.post('acme-media', leadBody(1, { external_id: 'again' }));
  await market.decided();
});
afterAll(() => market.close());

const list = async (query = '', who = acme): Promise<Json> =>
  (await who.get(`/portal/api/supplier/submissions${query}`)).json;
const one = async (leadId: string, who = acme): Promise<Json> =>
  (await who.get(`/portal/api/supplier/submissions/${leadId}`)).json;
const search = async (text: string, who = acme): Promise<Json> =>
  (await who.get('/portal/api/supplier/submissions', { 'x-search': text })).json;
const names = ({ data }: Json): string[] => data.map((row: Json) => row.externalId);

describe('the list of submissions', () => {
  it('has all submissions, newest first, including rejected ones and tests', async () => {
    const { data, next, lookedUntil } = await list();
    expect(data.map((row: Json) => [row.externalId, row.status, row.test])).toEqual([
      ['again', 'Duplicate', false],
      ['lead-1', 'Lead Sale', true],
      ['bad', 'Invalid', false],
      ['bad', 'Invalid', false],
      ['lead-2', 'No Buyer', false],
      ['lead-1', 'Lead Sale', false],
    ]);
    expect([next, lookedUntil]).toEqual([null, null]);
    expect(data[0].reasons).toMatchObject([{ reason: 'duplicate', remedy: expect.any(String) as string }]);
    expect(data[3]).toMatchObject({
      score: null,
      reasons: [{ reason: 'name required' }, { reason: 'phone invalid' }],
    });
    expect(data[5]).toMatchObject({ leadId: sold.lead_id, score: sold.score, reasons: [], statusMeaning: 'Sold.' });
  });

  it.each(['', '&state=rejected', '&state=invalid', '&state=test', '&reason=phone%20invalid'])(
    'is paged without gaps, newest or oldest first, also in its file (%s)',
    async (filters) => {
      const onPages = async (query: string): Promise<string[]> => {
        const seen: string[] = [];
        let next: string | null = null;
        do {
          const page: Json = await list(`?limit=2${query}${next === null ? '' : `&before=${next}`}`);
          expect(page.data.length).toBeLessThanOrEqual(2);
          seen.push(...page.data.map((row: Json) => row.leadId));
          next = page.next;
        } while (next !== null);
        return seen;
      };
      const newest: string[] = (await list(`?${filters}`)).data.map((row: Json) => row.leadId);
      expect(newest).toEqual(newest.toSorted().toReversed());
      expect(await onPages(filters)).toEqual(newest);
      expect(await onPages(`${filters}&sort=-received`)).toEqual(newest);
      expect(await onPages(`${filters}&sort=received`)).toEqual(newest.toReversed());
      const query = encodeURIComponent(`limit=2${filters}&sort=received`);
      const file = await acme.get(`/portal/api/supplier/exports/submissions?query=${query}`);
      const lines: ReadonlyArray<Record<string, string>> = parse(file.text, { columns: true });
      expect(lines.map((line) => line['lead_id'])).toEqual(newest.toReversed());
    },
  );

  it.each([
    ['routed', ['lead-1']],
    ['rejected', ['again', 'bad', 'bad', 'lead-2']],
    ['duplicate', ['again']],
    ['no_buyer', ['lead-2']],
    ['invalid', ['bad', 'bad']],
    ['test', ['lead-1']],
    ['pending', []],
  ])('filtered by %s agrees with the totals', async (state, externalIds) => {
    expect(names(await list(`?state=${state}`))).toEqual(externalIds);
  });

  it('is filtered by one fault among several', async () => {
    expect(names(await list('?state=invalid&reason=phone%20invalid'))).toHaveLength(2);
    expect(names(await list('?state=invalid&reason=name%20required'))).toHaveLength(1);
    expect(names(await list('?reason=duplicate'))).toEqual(['again']);
    expect(names(await list('?state=invalid&reason=email%20invalid'))).toEqual([]);
  });

  it.each(['', '?state=routed', '?state=rejected', '?state=invalid', '?state=test', '?reason=phone%20invalid'])(
    'has sums that agree with the rows under “%s”',
    async (query) => {
      const { data } = await list(query);
      const isSale = ({ status, test }: Json): boolean => !test && status === 'Lead Sale';
      const sales = data.filter(isSale).length;
      const expected = { rows: data.length, isAll: true, counts: { sold: sales }, amounts: {}, currency: 'USD' };
      expect(await list(`/sums${query}`)).toEqual(expected);
    },
  );

  it('has the sums of a search, among the supplier’s own submissions only', async () => {
    const sums = async (text: string, who: SignedIn): Promise<Json> =>
      (await who.get('/portal/api/supplier/submissions/sums', { 'x-search': text })).json;
    expect(await sums('bad', acme)).toMatchObject({ rows: 2, isAll: true, counts: { sold: 0 } });
    expect(await sums('lead-1', acme)).toMatchObject({ rows: 2, counts: { sold: 1 } });
    expect(await sums('bad', brightform)).toMatchObject({ rows: 0, counts: { sold: 0 } });
  });

  it('is searched by the supplier’s id or ours', async () => {
    expect(names(await search('bad'))).toEqual(['bad', 'bad']);
    expect((await search('%20lead-1%20')).data.map((row: Json) => row.test)).toEqual([true, false]);
    expect((await search(sold.lead_id)).data).toMatchObject([{ externalId: 'lead-1', test: false }]);
    for (const nothing of ['lead-', '%25', `${sold.lead_id}x`])
      expect([nothing, (await search(nothing)).data]).toEqual([nothing, []]);
    expect(await search('%00')).toMatchObject({ status: 400, code: 'invalid_query' });
  });

  it('is searched by phone and email in any spelling, among the supplier’s own leads only', async () => {
    for (const text of ['(555) 200-0001', '+15552000001', 'Jordan.Rivera.1@example.com'])
      expect([text, names(await search(encodeURIComponent(text)))]).toEqual([text, ['again', 'lead-1']]);
    expect(names(await search('0002'))).toEqual(['lead-2']);
    expect(names(await search('a%40b.example'))).toEqual(['bad']);
    expect(names(await search('555'))).toEqual([]);
    expect((await search('%2B15552000001', brightform)).data).toEqual([]);
  });

  it('is searched by words of the name, in any order and spelling, whether accepted or rejected', async () => {
    await market.post('acme-media', { ...sampleLead(77), external_id: 'josé', full_name: 'José O’Brien-Muñoz' });
    for (const text of ['jose', 'JOSÉ', 'munoz jos', 'obrien', "O'Brien José"])
      expect([text, names(await search(encodeURIComponent(text)))]).toEqual([text, ['josé']]);
    expect(names(await search('ann%20l'))).toEqual(['bad']);
    expect(names(await search('jose%20lee'))).toEqual([]);
    expect((await search('jose', brightform)).data).toEqual([]);
  });

  it('scans thousands of leads in parts, and reports how far it searched', async () => {
    const { database } = market.market;
    await select(
      database,
      `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, received_at, score, content_hash)
       SELECT ('ffffff00-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'brightform', false, true, 'routed', 'Lead Sale',
              timestamptz '2026-01-01' + n * interval '1 second', 50, decode(repeat('00', 32), 'hex')
       FROM generate_series(1, 12000) AS n`,
    );
    const pages = async (query: string): Promise<unknown[]> => {
      const found: unknown[] = [];
      let next: string | null = null;
      do {
        const page: Json = await list(`?${query}${next === null ? '' : `&before=${next}`}`, brightform);
        found.push([page.data.length, page.lookedUntil]);
        next = page.next;
      } while (next !== null);
      return found;
    };
    expect(await pages('state=no_buyer')).toEqual([
      [0, '2026-01-01T01:56:41.000Z'],
      [0, '2026-01-01T00:33:21.000Z'],
      [0, null],
    ]);
    expect(await pages('state=no_buyer&sort=received')).toEqual([
      [0, '2026-01-01T01:23:20.000Z'],
      [0, '2026-01-01T02:46:40.000Z'],
      [0, null],
    ]);
    const page = await list('?state=routed&limit=100', brightform);
    expect([page.data.length, page.lookedUntil]).toEqual([100, null]);
  });

  it.each(['state=sold', 'sort=score', 'limit=0', 'limit=101', 'before=x', 'reason='])(
    'refuses the query %s',
    async (query) => {
      const { status, json } = await acme.get(`/portal/api/supplier/submissions?${query}`);
      expect([status, json.code]).toEqual([400, 'invalid_query']);
    },
  );
});

type Planted = {
  readonly at: string;
  readonly name: string;
  readonly source?: string | null;
  readonly state?: string | null;
  readonly status?: string;
  readonly test?: boolean;
};

/** Leads that were received at these times; those with the status Invalid were rejected by the checks. */
async function plant(supplierKey: string, leads: readonly Planted[]): Promise<void> {
  const insert = statement<{
    readonly leadIds: readonly string[];
    readonly leads: string;
    readonly supplierKey: string;
  }>(
    'test.plant_submissions',
    `INSERT INTO lead (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, received_at, score, content_hash, fields)
     SELECT lead_id, $supplierKey, name, test, fields IS NOT NULL, CASE WHEN fields IS NULL THEN 'rejected' ELSE 'routed' END, status, at,
            CASE WHEN fields IS NOT NULL THEN 50 END, CASE WHEN fields IS NOT NULL THEN '\\x00'::bytea END, fields
     FROM unnest($leadIds::uuid[]) WITH ORDINALITY AS i (lead_id, n)
     JOIN LATERAL (SELECT * FROM json_to_record($leads::json -> (n::int - 1))
                   AS r (name text, test boolean, status text, at timestamptz, fields text)) AS u ON true`,
  );
  const rows = leads.map(({ at, name, source = null, state = null, status = 'Lead Sale', test = false }) => {
    const fields = {
      fullName: `Filter ${name}`,
      email: null,
      phone: null,
      state,
      source,
      extra: { source: 'web', state: 'WY' },
    };
    return { at, name, status, test, fields: status === 'Invalid' ? null : JSON.stringify(fields) };
  });
  const leadIds = leads.map(({ at }) => newUuidAt(new Date(at)));
  await market.market.database.tx((tx) => tx.query(insert, { leadIds, leads: JSON.stringify(rows), supplierKey }));
}

describe('the filters by day, source and US state', () => {
  let westside: SignedIn;
  const all = async (filter: Readonly<Record<string, string>>, who = westside): Promise<Json[]> => {
    const { search: text, ...rest } = filter;
    const headers = text === undefined ? {} : { 'x-search': encodeURIComponent(text) };
    const rows: Json[] = [];
    for (let next: string | null = ''; next !== null;) {
      const query = new URLSearchParams({ ...rest, limit: '2', ...(next === '' ? {} : { before: next }) }).toString();
      const { status, json }: { status: number; json: Json } = await who.get(
        `/portal/api/supplier/submissions?${query}`,
        headers,
      );
      expect([query, status]).toEqual([query, 200]);
      rows.push(...json.data);
      next = json.next;
    }
    return rows;
  };

  beforeAll(async () => {
    westside = await market.market.signedIn.supplier('westside');
    // Midnights in Los Angeles; the clocks go back on November 1.
    const midnights = ['2026-10-31T07:00:00Z', '2026-11-01T07:00:00Z', '2026-11-02T08:00:00Z', '2026-11-03T08:00:00Z'];
    await plant('westside', [
      ...midnights.flatMap((midnight, day) =>
        [-1, 0].map((ms) => ({
          at: new Date(Date.parse(midnight) + ms).toISOString(),
          name: `day-${2 * day + ms + 1}`,
          source: 'midnight',
        })),
      ),
      { at: '2026-10-20T12:00:00Z', name: 'a', source: 'web "a"', state: 'CA' },
      { at: '2026-10-20T12:00:01Z', name: 'b', source: 'web', state: 'CA', status: 'No Buyer' },
      { at: '2026-10-20T12:00:02Z', name: 'c', source: 'web', state: 'TX' },
      { at: '2026-10-20T12:00:03Z', name: 'd', source: 'web', state: 'TX', test: true },
      { at: '2026-10-20T12:00:04Z', name: 'e', status: 'Invalid' },
      { at: '2026-10-20T12:00:05Z', name: 'f' },
    ]);
    await plant('newcomer', [{ at: '2026-10-20T12:00:02Z', name: 'foreign', source: 'web', state: 'TX' }]);
  });

  it.each<readonly [Readonly<Record<string, string>>, string[]]>([
    [{ from: '2026-10-31', to: '2026-10-31' }, ['day-2', 'day-1']],
    [{ from: '2026-11-01', to: '2026-11-01' }, ['day-4', 'day-3']],
    [{ from: '2026-11-01', to: '2026-11-02' }, ['day-6', 'day-5', 'day-4', 'day-3']],
    [{ from: '2026-11-03' }, ['day-7']],
    [{ from: '2026-11-04' }, []],
    [{ to: '2026-10-19' }, []],
    [{ to: '2026-10-20' }, ['f', 'e', 'd', 'c', 'b', 'a']],
    [{ to: '2026-10-20', state: 'invalid' }, ['e']],
    [{ to: '2026-10-20', state: 'routed' }, ['f', 'c', 'a']],
    [{ source: 'web' }, ['d', 'c', 'b']],
    [{ source: 'web "a"' }, ['a']],
    [{ source: 'we' }, []],
    [{ source: String.raw`web\u0000"%_` }, []],
    [{ usState: 'ca' }, ['b', 'a']],
    [{ usState: 'WY' }, []],
    [{ usState: 'TX', state: 'test' }, ['d']],
    [{ usState: 'TX', state: 'invalid' }, []],
    [{ usState: 'CA', source: 'web', state: 'no_buyer' }, ['b']],
    [{ usState: 'TX', from: '2026-10-21' }, []],
    [{ search: 'filter', to: '2026-10-20', usState: 'TX' }, ['d', 'c']],
    [{ search: 'filter', from: '2026-11-03' }, ['day-7']],
    [{ search: 'c', source: 'web' }, ['c']],
    [{ search: 'c', source: 'other' }, []],
    [{ search: 'c', from: '2026-10-21' }, []],
  ])('find the same submissions in the list, its sums and its CSV file under %o', async (filter, wanted) => {
    const rows = await all(filter);
    expect(names({ data: rows })).toEqual(wanted);
    const { search: text, ...rest } = filter;
    const headers = text === undefined ? {} : { 'x-search': encodeURIComponent(text) };
    const query = new URLSearchParams(rest).toString();
    const sales = rows.filter(({ status, test }) => status === 'Lead Sale' && !test).length;
    const { json } = await westside.get(`/portal/api/supplier/submissions/sums?${query}`, headers);
    expect(json).toMatchObject({ rows: rows.length, isAll: true, counts: { sold: sales } });
    const path = `/portal/api/supplier/exports/submissions?columns=externalId&query=${encodeURIComponent(query)}`;
    const file = await westside.get(path, headers);
    expect([file.status, file.text.trim().split('\r\n')]).toEqual([200, ['external_id', ...wanted]]);
  });

  it.each<readonly [Readonly<Record<string, string>>, string[]]>([
    [{ from: '2026-11-01', to: '2026-11-02', source: 'midnight' }, ['day-3', 'day-4', 'day-5', 'day-6']],
    [{ from: '2026-10-20', to: '2026-10-31', source: 'midnight' }, ['day-0', 'day-1', 'day-2']],
    [{ from: '2026-10-20', to: '2026-10-30', state: 'routed' }, ['a', 'c', 'f', 'day-0']],
    [{ to: '2026-10-30', usState: 'TX', source: 'web' }, ['c', 'd']],
  ])('page through the submissions once each, oldest first, also in the CSV file, under %o', async (filter, wanted) => {
    const sorted = { ...filter, sort: 'received' };
    expect(names({ data: await all(sorted) })).toEqual(wanted);
    expect(names({ data: await all(filter) })).toEqual(wanted.toReversed());
    const query = encodeURIComponent(new URLSearchParams(sorted).toString());
    const file = await westside.get(`/portal/api/supplier/exports/submissions?columns=externalId&query=${query}`);
    expect([file.status, file.text.trim().split('\r\n')]).toEqual([200, ['external_id', ...wanted]]);
  });

  it.each<readonly [Readonly<Record<string, string>>, string[]]>([
    [{ search: 'filter', to: '2026-10-20' }, ['a', 'b', 'c', 'd', 'f']],
    [{ search: 'filter', to: '2026-10-20', usState: 'TX' }, ['c', 'd']],
    [{ search: 'filter', from: '2026-11-01', to: '2026-11-02' }, ['day-3', 'day-4', 'day-5', 'day-6']],
    [{ search: 'c' }, ['c']],
  ])('search the submissions once each, oldest first, also in the CSV file, under %o', async (filter, wanted) => {
    const { search: text = '', ...rest } = filter;
    expect(names({ data: await all({ ...filter, sort: 'received' }) })).toEqual(wanted);
    expect(names({ data: await all(filter) })).toEqual(wanted.toReversed());
    const query = encodeURIComponent(new URLSearchParams({ ...rest, sort: 'received' }).toString());
    const path = `/portal/api/supplier/exports/submissions?columns=externalId&query=${query}`;
    const file = await westside.get(path, { 'x-search': encodeURIComponent(text) });
    expect([file.status, file.text.trim().split('\r\n')]).toEqual([200, ['external_id', ...wanted]]);
  });

  it('search in parts of the span, from the oldest on as from the newest', async () => {
    const filter = {
      ...{ supplierKey: 'westside', verticalKey: null, states: null, statuses: null },
      ...{ from: null, to: new Date('2026-10-21T00:00:00Z') },
    };
    const wanted = { query: { kind: 'name', words: ['filter'] }, filter, limit: 1 } as const;
    const inParts = (read: (tx: Tx, seen: LeadId | null) => Promise<LeadRange>) =>
      market.market.database.tx(async (tx) => {
        const found: Array<string | null> = [];
        for (let seen: LeadId | null = null, parts = 0; parts === 0 || seen !== null; parts += 1) {
          const range: LeadRange = await read(tx, seen);
          found.push(...range.leads.map(({ externalId }) => externalId));
          seen = range.next;
        }
        return found;
      });
    const newest = await inParts((tx, before) => findLeadsByContact(tx, { ...wanted, before }, 2));
    const oldest = await inParts((tx, after) => findOldestLeadsByContact(tx, { ...wanted, after }, 2));
    expect([newest, oldest]).toEqual([
      ['f', 'd', 'c', 'b', 'a'],
      ['a', 'b', 'c', 'd', 'f'],
    ]);
  });

  it('never find submissions of another supplier', async () => {
    for (const filter of [{ source: 'web' }, { usState: 'TX' }, { to: '2026-10-20' }, { search: 'filter' }])
      expect([filter, names({ data: await all(filter) })]).not.toEqual([filter, expect.arrayContaining(['foreign'])]);
    const newcomer = await market.market.signedIn.supplier('newcomer');
    expect(names({ data: await all({ usState: 'TX' }, newcomer) })).toEqual(['foreign']);
    expect(await all({ usState: 'TX' }, brightform)).toEqual([]);
  });

  it('refuse values that are none', async () => {
    const newcomer = await market.market.signedIn.supplier('newcomer');
    const garbage = {
      source: ['', 'x'.repeat(201)],
      usState: ['C', 'CAL', '1A', ''],
      from: ['', 'today', '2026-02-30', '0000-01-01', '2026-11-20T00:00:00Z'],
      to: ['', '2026-13-01'],
    };
    for (const [field, values] of Object.entries(garbage)) {
      for (const value of values) {
        const query = new URLSearchParams({ [field]: value }).toString();
        for (const path of ['', '/sums']) {
          const { status, json } = await newcomer.get(`/portal/api/supplier/submissions${path}?${query}`);
          expect([path, query, status, json.errors?.[0]?.field]).toEqual([path, query, 400, field]);
        }
      }
    }
    const reversed = await newcomer.get('/portal/api/supplier/submissions?from=2026-11-02&to=2026-11-01');
    expect([reversed.status, reversed.json.errors]).toMatchObject([400, [{ field: 'from', code: 'out_of_range' }]]);
  });

  it('read the fields of 3,000 submissions a page in either order, and go on without gaps', async () => {
    // One per second, from the last 2,000 of 2019 to the first 2,000 of January 2; each 1,000th has another source.
    await select(
      market.market.database,
      `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, received_at, score, content_hash, fields)
       SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid, 'newcomer', false, true,
              'routed', 'Lead Sale', at, 50, '\\x00',
              '{"fullName":"Ann","source":"' || CASE WHEN mod(n + 2000, 1000) = 1 THEN 'rare' ELSE 'web' END || '","extra":{}}'
       FROM (SELECT n, timestamptz '2020-01-01Z' + n * interval '1 second' AS at
             FROM generate_series(-2000, 88399) AS n WHERE n < 7000 OR n >= 86400) AS second`,
    );
    const newcomer = await market.market.signedIn.supplier('newcomer');
    const filters = 'source=rare&from=2020-01-01&to=2020-01-01';
    const pages = async (sort: string): Promise<Json[]> => {
      const found: Json[] = [];
      for (let next: string | null = ''; next !== null; next = found.at(-1).next)
        found.push(await list(`?${filters}&sort=${sort}${next === '' ? '' : `&before=${next}`}`, newcomer));
      return found;
    };
    const newest = await pages('-received');
    const oldest = await pages('received');
    const looks = (found: readonly Json[]): unknown => found.map(({ data, lookedUntil }) => [data.length, lookedUntil]);
    expect(looks(newest)).toEqual([
      [3, '2020-01-01T01:06:40.000Z'],
      [3, '2020-01-01T00:16:40.000Z'],
      [1, null],
    ]);
    expect(looks(oldest)).toEqual([
      [3, '2020-01-01T00:49:59.000Z'],
      [3, '2020-01-01T01:39:59.000Z'],
      [1, null],
    ]);
    const times = (found: readonly Json[]): string[] =>
      found.flatMap(({ data }) => data.map((row: Json) => row.receivedAt.slice(0, 19)));
    const wanted = ['00:00:01', '00:16:41', '00:33:21', '00:50:01', '01:06:41', '01:23:21', '01:40:01'];
    expect(times(oldest)).toEqual(wanted.map((time) => `2020-01-01T${time}`));
    expect(times(newest)).toEqual(times(oldest).toReversed());
    expect(await list(`/sums?${filters}`, newcomer)).toMatchObject({ rows: 7, isAll: true });
  });

  it('are read through the index of the supplier’s leads, also with a generic plan', async () => {
    const { database } = market.market;
    await select(database, 'ANALYZE lead');
    const client = await database.connect();
    try {
      // As docs/operations.md advises.
      await client.query('SET random_page_cost = 1.1');
      await client.query('SET plan_cache_mode = force_generic_plan');
      for (const { name, text, params } of [scanAll.newest, scanAll.oldest, sumAll]) {
        const values: Readonly<Record<string, string>> = {
          ...{
            supplierKey: `'newcomer'`,
            beforeId: `'${LAST_ID}'`,
            fromId: `'${FIRST_ID}'`,
            scanLimit: '3000',
            limit: '50',
          },
          ...{ sourceMark: `',"source":"rare"'`, soldStatuses: `'{}'` },
        };
        await client.query(`PREPARE "${name}" AS ${text}`);
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN EXECUTE "${name}" (${params.map((param) => values[param] ?? 'NULL').join(', ')})`,
        );
        const scans = rows.flatMap(
          (row) => / (?:on|using) (?:lead|\w*lead_\w+)\b.*/.exec(row['QUERY PLAN'])?.[0] ?? [],
        );
        expect([name, scans]).toEqual([name, [expect.stringMatching(/^ using lead_of_supplier on lead l /)]]);
      }
    } finally {
      await client.end();
    }
  });
});

describe('a submission', () => {
  it('that was sold has body, fields, response and callbacks', async () => {
    await eventually(
      'the callback is there',
      async () => (await one(sold.lead_id)).callbacks[0]?.state === 'delivered',
    );
    const seen = await one(sold.lead_id);
    expect(seen).toMatchObject({
      leadId: sold.lead_id,
      externalId: 'lead-1',
      status: 'Lead Sale',
      score: sold.score,
      isMapped: false,
      erasedAt: null,
      lacking: [],
      callbackEvents: ['lead.routed', 'lead.rejected'],
    });
    expect(JSON.parse(seen.body)).toEqual(leadBody(1));
    expect(seen.response.status).toBe(202);
    expect(JSON.parse(seen.response.body)).toEqual({ accepted: true, lead_id: sold.lead_id, score: sold.score });
    expect(seen.reading.fields).toContainEqual({
      field: 'debt_amount',
      from: 'debt_amount',
      isConstant: false,
      sent: '"24500.00"',
      read: '24500.00',
      fault: null,
    });
    expect(seen.callbacks).toMatchObject([
      { type: 'lead.routed', state: 'delivered', attempts: 1, responseCode: 204, error: null },
    ]);
    // Among callbacks of other leads, which may come first.
    const ids = market.receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toContain(seen.callbacks[0].callbackId);
  });

  it('never shows buyer, price or offer', async () => {
    for (const leadId of [sold.lead_id, unsold.lead_id]) {
      const { text } = await acme.get(`/portal/api/supplier/submissions/${leadId}`);
      expect(text).not.toMatch(/summit|payout|offer|partner|state_not_wanted|"?45(\.00)?"?[,}]/i);
    }
  });

  it('without a buyer shows the fields that it lacks', async () => {
    const seen = await one(unsold.lead_id);
    expect(seen).toMatchObject({
      status: 'No Buyer',
      lacking: ['consent_timestamp'],
      reasons: [{ reason: 'no_buyer' }],
    });
  });

  it('that was rejected shows the field of each fault', async () => {
    const [latest] = (await list('?state=invalid')).data;
    const seen = await one(latest.leadId);
    expect(seen.response).toEqual({ status: 422, body: '{"accepted":false,"reason":"phone invalid"}' });
    expect(seen.reading.fields.filter(({ fault }: Json) => fault !== null)).toEqual([
      { field: 'phone', from: 'phone', isConstant: false, sent: '"none"', read: null, fault: 'phone invalid' },
    ]);
    expect(seen.callbacks).toEqual([]);
  });

  it('shows the source of each field under the supplier’s own names', async () => {
    const { lead_id: leadId } = await market.post('brightform', {
      id: 'B-1',
      contact: { name: 'Ann Lee', mail: 'ann.lee@example.com', pet: 'cat' },
      Mobile: '(555) 555-0123',
      amountOwed: '$12,500',
      notes: 'call late',
    });
    const seen = await one(leadId, brightform);
    expect(seen.isMapped).toBe(true);
    const read = Object.fromEntries(
      seen.reading.fields.map(({ field, from, isConstant, sent, read: value }: Json) => [
        field,
        [isConstant ? '$set' : from, sent, value],
      ]),
    );
    expect(read).toEqual({
      external_id: ['id', '"B-1"', 'B-1'],
      full_name: ['contact.name', '"Ann Lee"', 'Ann Lee'],
      email: ['contact.mail', '"ann.lee@example.com"', 'ann.lee@example.com'],
      phone: ['Mobile', '"(555) 555-0123"', '+15555550123'],
      debt_amount: ['amountOwed', '"$12,500"', '12500.00'],
      source: ['$set', '"brightform"', 'brightform'],
      tcpa_consent: [null, null, 'false'],
      utm_source: [null, null, 'brightform'],
    });
    expect(seen.reading.extra).toEqual(['contact', 'notes']);
  });

  it('without a stored body still shows the fields read', async () => {
    const { lead_id: leadId } = await market.post('acme-media', leadBody(20));
    await select(market.market.database, `UPDATE lead SET raw_body = NULL WHERE external_id = 'lead-20'`);
    const seen = await one(leadId);
    expect(seen.body).toBeNull();
    expect(seen.reading.fields).toContainEqual({
      field: 'state',
      from: null,
      isConstant: false,
      sent: null,
      read: 'CA',
      fault: null,
    });
  });

  it('of another supplier responds like an unknown id', async () => {
    const foreign = await brightform.get(`/portal/api/supplier/submissions/${sold.lead_id}`);
    const random = await brightform.get('/portal/api/supplier/submissions/lead_01m7xnp2vpe9rtj82p033hep4t');
    const nonsense = await brightform.get('/portal/api/supplier/submissions/1');
    for (const { status, json } of [foreign, random, nonsense]) {
      expect(status).toBe(404);
      expect({ ...json, requestId: '' }).toEqual({ ...random.json, requestId: '' });
    }
    expect((await search(sold.lead_id, brightform)).data).toEqual([]);
    expect((await search('again', brightform)).data).toEqual([]);
  });
});

describe('the callbacks of a submission', () => {
  it('remain listed after a permanent failure until retention deletes them', async () => {
    const { database } = market.market;
    const messageId = uuidOf('event', (await one(sold.lead_id)).callbacks[0].callbackId) ?? '';
    const message = { messageId, ownerKind: 'supplier', data: JSON.stringify({ lead_id: sold.lead_id }) } as const;
    await database.tx((tx) => logStateChanges(tx, [message], { state: 'failed', error: 'HTTP 500' }));
    expect((await one(sold.lead_id)).callbacks).toMatchObject([{ state: 'failed', error: 'HTTP 500' }]);
    await database.tx((tx) => logStateChanges(tx, [message], { state: 'waiting', error: null }));
    expect((await one(sold.lead_id)).callbacks).toMatchObject([{ state: 'waiting', error: 'HTTP 500' }]);
    expect(await database.tx((tx) => purgeCallbacks(tx, new Date(0), 100))).toBe(0);
    const late = new Date(Date.now() + 86_400_000);
    expect(await database.tx((tx) => purgeCallbacks(tx, late, 100))).toBeGreaterThan(0);
    expect((await one(sold.lead_id)).callbacks).toEqual([]);
  });
});
