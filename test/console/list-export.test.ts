// Lists as CSV files: the rows, columns and rights of the list that its page shows, for operators, partners and suppliers (decision 080).
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exportedLists } from '../../src/console/exported-lists.rules.ts';
import { buyerLists, supplierLists } from '../../src/portal/exported-lists.rules.ts';
import { betaMarketYaml } from '../contract/beta-market.ts';
import { sampleLead } from '../contract/market.ts';
import { postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { SignedIn } from '../support/signed-in.ts';

/** More than two pages of the leads' export and of the submissions' list. */
const LEADS = 410;

let receiver: Receiver;
let market: TestMarketplace;
let operator: SignedIn;
let summit: SignedIn;
let supplier: SignedIn;

beforeAll(async () => {
  receiver = await startReceiver({ respond: () => ({ status: 200, body: '{"taken":true}' }) });
  market = await startTestMarketplace({ yaml: betaMarketYaml(receiver), allowTargets: [receiver.origin] });
  const key = await market.supplierKey('acme-media');
  [operator, summit, supplier] = await Promise.all([
    market.signedIn.operator(),
    market.signedIn.buyer('summit'),
    market.signedIn.supplier('acme-media'),
  ]);
  const serials = Array.from({ length: LEADS }, (_, index) => index + 1);
  await Promise.all(
    serials.map(async (serial) => {
      // Every third has no buyer; one name is a formula to a spreadsheet.
      const state = serial % 3 === 0 ? 'TX' : 'CA';
      const name = serial === 7 ? '=1+1' : `Person ${serial}`;
      await postLead(market.url, key, sampleLead(serial, { state, full_name: name }));
    }),
  );
  await eventually('all leads are decided and delivered', async () => {
    const waiting = (await operator.get('/console/api/leads?state=received&limit=1')).json.data as unknown[];
    const pending = (await summit.get('/portal/api/buyer/deliveries?status=Pending&pageSize=1')).json.total;
    return waiting.length === 0 && pending === 0;
  });
});
afterAll(async () => {
  await market?.close();
  await receiver?.close();
});

type Line = Readonly<Record<string, string>>;

async function file(who: SignedIn, path: string, headers?: Record<string, string>): Promise<readonly Line[]> {
  const { status, text, headers: sent } = await who.get(path, headers);
  expect([status, sent.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return parse(text, { columns: true });
}

describe('the CSV file of a list', () => {
  it('has every row of all pages once, in the order of the list', async () => {
    const lines = await file(operator, '/console/api/exports/leads');
    expect(lines).toHaveLength(LEADS);
    const ids = lines.map((line) => line['lead_id'] ?? '');
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    const { json } = await operator.get('/console/api/leads?limit=1');
    const [first] = json.data as Array<{ leadId: string; name: string; sales: ReadonlyArray<{ partnerName: string }> }>;
    expect(lines[0]).toMatchObject({
      lead_id: first?.leadId,
      name: first?.name,
      sold_to: first?.sales.map(({ partnerName }) => partnerName).join('; '),
    });
    const sent = await file(supplier, '/portal/api/supplier/exports/submissions');
    expect(sent.map((line) => line['lead_id'])).toEqual(ids);
  });

  it.each([
    '/console/api/exports/leads?ids=none&',
    '/console/api/reports.csv?',
    '/portal/api/supplier/exports/submissions?ids=none&',
    '/portal/api/buyer/reports.csv?',
  ])('begins with a byte order mark only for Excel: %s', async (path) => {
    const who = path.startsWith('/console') ? operator : path.includes('supplier') ? supplier : summit;
    const beginning = async (query: string): Promise<string> => {
      const bytes = await (await fetch(`${market.url}${path}${query}`, { headers: { cookie: who.cookie } })).bytes();
      return Buffer.from(bytes.subarray(0, 3)).toString('hex');
    };
    expect(await beginning('for=excel')).toBe('efbbbf');
    expect(await beginning('')).not.toBe('efbbbf');
  });

  it('obeys the filters and the search of the list', async () => {
    const unsold = await file(operator, '/console/api/exports/leads?query=state%3Dno_buyer%26limit%3D1');
    expect(unsold).toHaveLength(Math.floor(LEADS / 3));
    expect(new Set(unsold.map((line) => line['status']))).toEqual(new Set(['no_buyer']));
    const search = { 'x-search': encodeURIComponent('+1 (555) 200-0011') };
    const { json } = await summit.get('/portal/api/buyer/deliveries', search);
    const found = await file(summit, '/portal/api/buyer/exports/deliveries', search);
    expect([json.total, found.map((line) => line['name'])]).toEqual([1, ['Person 11']]);
  });

  it('obeys the order of the list, which is the reverse one on all pages', async () => {
    const newest = (await file(operator, '/console/api/exports/leads')).map((line) => line['lead_id']);
    const oldest = await file(operator, '/console/api/exports/leads?query=sort%3Dreceived');
    expect(oldest.map((line) => line['lead_id'])).toEqual(newest.toReversed());
    const filtered = await file(operator, '/console/api/exports/leads?query=sort%3Dreceived%26supplier%3Dacme-media');
    expect(filtered.map((line) => line['lead_id'])).toEqual(newest.toReversed());

    const search = { 'x-search': encodeURIComponent('Person 1') };
    for (const headers of [{}, search]) {
      const path = '/portal/api/buyer/exports/deliveries';
      const down = (await file(summit, path, headers)).map((line) => line['delivery_id']);
      const up = (await file(summit, `${path}?query=sort%3DdeliveredAt`, headers)).map((line) => line['delivery_id']);
      expect(down.length).toBeGreaterThan(1);
      expect(up).toEqual(down.toReversed());
      const last = await summit.get('/portal/api/buyer/deliveries?sort=deliveredAt&page=2&pageSize=7', headers);
      expect((last.json.data as Array<{ deliveryId: string }>).map(({ deliveryId }) => deliveryId)).toEqual(
        up.slice(7, 14),
      );
    }
  });

  it('has the chosen columns alone, in their order, and no formulas', async () => {
    const path = '/console/api/exports/leads?columns=received,lead,action';
    const [line] = await file(operator, path);
    expect(Object.keys(line ?? {})).toEqual(['received_at', 'name', 'lead_id', 'external_id']);
    const names = (await file(operator, path)).map((each) => each['name']);
    expect(names).toContain("'=1+1");
    expect(names).not.toContain('=1+1');
  });

  it('has the selected rows alone, also after they have moved to another page', async () => {
    const { json } = await summit.get('/portal/api/buyer/deliveries?page=3&pageSize=10');
    const chosen = (json.data as Array<{ deliveryId: string }>).slice(4, 7).map(({ deliveryId }) => deliveryId);
    for (const page of [3, 2]) {
      const query = `query=page%3D${page}%26pageSize%3D10&ids=${chosen.join(',')}`;
      const lines = await file(summit, `/portal/api/buyer/exports/deliveries?${query}`);
      expect(lines.map((line) => line['delivery_id'])).toEqual(chosen);
    }
  });

  it('rejects what the list rejects, and lists that there are not', async () => {
    const wrong = await operator.get('/console/api/exports/leads?query=state%3Dnone');
    expect([wrong.status, wrong.json.code]).toEqual([400, 'invalid_query']);
    for (const name of ['people', 'constructor', '__proto__']) {
      expect((await operator.get(`/console/api/exports/${name}`)).status).toBe(404);
    }
  });

  it('shows nobody more than the list: names are masked, reads recorded, and lists of others out of reach', async () => {
    const reader = await market.signedIn.operator('reader', 'read-only');
    const masked = await file(reader, '/console/api/exports/leads?columns=lead');
    const { json } = await reader.get('/console/api/leads?limit=200');
    const shown = (json.data as Array<{ name: string }>).map(({ name }) => name);
    expect(masked.slice(0, 200).map((line) => line['name'])).toEqual(shown);
    expect(masked.some((line) => line['name']?.startsWith('Person'))).toBe(false);

    const viewer = await market.signedIn.operator('viewer');
    await file(viewer, '/console/api/exports/leads');
    const events = await operator.get('/console/api/audit-log?action=person.viewed&actor=viewer');
    const viewed = (events.json.data as Array<{ changes: { leads: { to: string[] } } }>).flatMap(
      ({ changes }) => changes.leads.to,
    );
    expect(new Set(viewed).size).toBe(LEADS);

    const harbor = await market.signedIn.buyer('harbor');
    expect(await file(harbor, '/portal/api/buyer/exports/deliveries')).toEqual([]);
    for (const [who, path] of [
      [harbor, '/console/api/exports/leads'],
      [harbor, '/portal/api/supplier/exports/submissions'],
      [supplier, '/portal/api/buyer/exports/deliveries'],
    ] as const) {
      expect((await who.get(path)).status, path).toBe(401);
    }
  });

  it.each([
    ...Object.keys(exportedLists).map((name) => `/console/api/exports/${name}`),
    ...Object.keys(buyerLists).map((name) => `/portal/api/buyer/exports/${name}`),
    ...Object.keys(supplierLists).map((name) => `/portal/api/supplier/exports/${name}`),
  ])('%s is the same with an empty query as without one', async (path) => {
    const who = path.startsWith('/console') ? operator : path.startsWith('/portal/api/buyer') ? summit : supplier;
    const [bare, empty] = [await who.get(path), await who.get(`${path}?query=`)];
    // The entries of a ledger are those of a partner, which the query names.
    expect(bare.status).toBe(path.endsWith('/entries') ? 404 : 200);
    expect(empty.status).toBe(bare.status);
    if (bare.status === 200) expect(empty.text).toBe(bare.text);
  });

  it.each([
    'claims',
    'failed-deliveries',
    'dead-letters',
    'endpoints',
    'audit-log',
    'accounts',
    'invoices',
    'statements',
    'supplier-balances',
    'partners',
    'suppliers',
    'offers',
    'lists',
    'notices',
  ])('of %s has the rows that the operator’s page shows', async (name) => {
    const { text } = await operator.get(`/console/api/exports/${name}`);
    const lines: Line[] = parse(text, { columns: true });
    const paths: Readonly<Record<string, string>> = { 'dead-letters': 'jobs', accounts: 'ledger/accounts' };
    const { json } = await operator.get(`/console/api/${paths[name] ?? name}`);
    const shown = json.data as unknown[];
    expect(lines.length).toBeGreaterThanOrEqual(shown.length);
    expect(text.split('\r\n')[0]).toMatch(/^[a-z0-9_]+(?:,[a-z0-9_]+)+$/);
  });

  it.each(['claims', 'ledger', 'lists', 'notices'])(
    'of %s has the rows that the partner’s page shows',
    async (name) => {
      const lines = await file(summit, `/portal/api/buyer/exports/${name}`);
      const paths: Readonly<Record<string, string>> = { ledger: 'buyer/billing' };
      const { json } = await summit.get(`/portal/api/${paths[name] ?? `buyer/${name}`}`);
      const page = (name === 'ledger' ? json.ledger : json) as { total?: number; data: unknown[] };
      expect(lines).toHaveLength(page.total ?? page.data.length);
    },
  );
});
