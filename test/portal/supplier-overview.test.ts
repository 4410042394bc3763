// The supplier's overview: agreement with the statistics, and a remedy for every reason.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { foldLeadCounts } from '../../src/leads/settle-leads.ts';
import { getAsSupplier } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { leadBody } from '../support/leads.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startSupplierMarket, type SupplierMarket } from './supplier-market.ts';

let market: SupplierMarket;
let acme: SignedIn;
const posted: Json[] = [];

beforeAll(async () => {
  market = await startSupplierMarket();
  acme = await market.market.signedIn.supplier('acme-media');
  for (const body of [
    leadBody(1),
    leadBody(2),
    // The same person as the first one.
    leadBody(1, { external_id: 'again' }),
    leadBody(3, { state: 'NY', consent_timestamp: null }),
    leadBody(4, { state: 'NY', consent_timestamp: null, source_form_url: null }),
    { external_id: 'bad-1' },
    { external_id: 'bad-2', full_name: 'Ann Lee', phone: 'none', state: 'Kalifornien' },
    { external_id: 'bad-3', full_name: 'Ann Lee', phone: '5555550123' },
    leadBody(5, { test: true }),
    { external_id: 'bad-test', test: true },
  ])
    posted.push(await market.post('acme-media', body));
  await market.post('brightform', { contact: { name: 'Ann Lee', mail: 'ann@example.com' } });
  await market.decided();
});
afterAll(() => market.close());

const overview = async (query = ''): Promise<Json> => (await acme.get(`/portal/api/supplier/overview${query}`)).json;
const stats = async (query = ''): Promise<Json> =>
  (await getAsSupplier(market.market.url, market.keys['acme-media'], `/api/v1/supplier/stats${query}`)).json;

function sum(rows: readonly Json[], member: string): number {
  return rows.reduce((total: number, row) => total + row[member], 0);
}

describe('the supplier’s overview', () => {
  it('agrees exactly with the statistics', async () => {
    const seen = await overview();
    const { totals, byStatus } = await stats();
    expect(seen.totals).toEqual({ ...totals, accepted: 5, acceptedRate: 62.5 });
    expect(totals).toMatchObject({ submitted: 8, routed: 2, rejected: 6, pending: 0 });
    expect(Object.fromEntries(seen.byStatus.map((row: Json) => [row.status, row.leads]))).toEqual(byStatus);
    expect(seen).toMatchObject({ supplierKey: 'acme-media', name: 'Acme Media', status: 'approved', unit: 'day' });
    expect(seen.byDay).toHaveLength(30);
  });

  it('has every day, and the days add up to the totals', async () => {
    const { totals, byDay, from, to } = await overview('?period=7d');
    expect(byDay).toHaveLength(7);
    expect([byDay[0].date, byDay[6].date]).toEqual([from, to]);
    for (const name of ['submitted', 'accepted', 'routed', 'rejected', 'pending'])
      expect([name, sum(byDay, name)]).toEqual([name, totals[name]]);
    for (const day of byDay) expect(day.routed + day.rejected + day.pending).toBe(day.submitted);
  });

  it('counts accepted leads by score, without tests', async () => {
    const { scores, totals } = await overview();
    expect(scores.map(({ from, to }: Json) => [from, to])).toEqual([
      ...Array.from({ length: 9 }, (_, ten) => [10 * ten, 10 * ten + 9]),
      [90, 100],
    ]);
    expect(sum(scores, 'leads')).toBe(totals.accepted);
    const tens = posted.slice(0, 5).map(({ score }) => Math.min(9, Math.trunc(score / 10)));
    expect(scores.map(({ leads }: Json) => leads)).toEqual(
      Array.from({ length: 10 }, (_, ten) => tens.filter((other) => other === ten).length),
    );
  });

  it('counts rejections by fault and unsold leads by status, with remedies', async () => {
    const { atIngest, afterwards } = (await overview()).rejections;
    expect(atIngest.map(({ reason, leads, share }: Json) => [reason, leads, share])).toEqual([
      ['phone invalid', 2, 25],
      ['email or phone required', 1, 12.5],
      ['name required', 1, 12.5],
      ['state invalid', 1, 12.5],
    ]);
    expect(afterwards.map(({ status, reason, leads }: Json) => [status, reason, leads])).toEqual([
      ['Duplicate', 'duplicate', 1],
      ['No Buyer', 'no_buyer', 2],
    ]);
    for (const { remedy, meaning } of [...atIngest, ...afterwards]) {
      expect(remedy).toMatch(/^[A-Z].+\.$/);
      expect(meaning).toMatch(/\.$/);
    }
    expect(atIngest[0].remedy).toContain('+15555550123');
  });

  it('compares the missing fields of unsold and sold leads', async () => {
    const { lacking } = await overview();
    expect(lacking).toMatchObject({ unsold: 2, sold: 2 });
    expect(
      Object.fromEntries(lacking.fields.map((row: Json) => [row.field, [row.lackingUnsold, row.lackingSold]])),
    ).toEqual({
      phone: [0, 0],
      email: [0, 0],
      state: [0, 0],
      debt_amount: [0, 0],
      consent_timestamp: [2, 0],
      source_form_url: [1, 0],
    });
  });

  it('stays the same when counters are compacted', async () => {
    const before = await overview();
    // As many counter rows as a busy minute appends.
    for (let serial = 0; serial < 14; serial += 1) {
      await market.market.database.tx((tx) => foldLeadCounts(tx, new Date(0)));
      await market.post('acme-media', { external_id: `more-${serial}`, phone: 'none' });
    }
    const during = await overview();
    await market.market.database.tx((tx) => foldLeadCounts(tx, new Date(0)));
    expect(await overview()).toEqual(during);
    expect(during.scores).toEqual(before.scores);
    expect(during.rejections.atIngest.slice(0, 2)).toMatchObject([
      { reason: 'phone invalid', leads: 16 },
      { reason: 'name required', leads: 15 },
    ]);
    const [rows] = await select<{ counts: number; refusals: number }>(
      market.market.database,
      `SELECT (SELECT max(n) FROM (SELECT count(*)::int AS n FROM lead_count WHERE supplier_key = 'acme-media' GROUP BY day) AS d) AS counts,
              (SELECT max(n) FROM (SELECT count(*)::int AS n FROM refusal_count WHERE supplier_key = 'acme-media' GROUP BY day) AS d) AS refusals`,
    );
    expect(rows?.counts).toBeLessThanOrEqual(12);
    expect(rows?.refusals).toBeLessThanOrEqual(4 + 12);
  });

  it('contains only the supplier’s own leads', async () => {
    const brightform = await market.market.signedIn.supplier('brightform');
    const { json } = await brightform.get('/portal/api/supplier/overview');
    expect(json).toMatchObject({ supplierKey: 'brightform', totals: { submitted: 1 } });
  });

  it('is open to suppliers that may not post, and only to suppliers', async () => {
    const newcomer = await market.market.signedIn.supplier('newcomer');
    const { status, json } = await newcomer.get('/portal/api/supplier/overview');
    expect([status, json.status, json.totals.submitted]).toEqual([200, 'pending', 0]);
    const buyer = await market.market.signedIn.buyer('summit');
    expect((await buyer.get('/portal/api/supplier/overview')).status).toBe(401);
  });

  it.each(['period=0', 'period=', 'period=365d'])('refuses the query %s', async (query) => {
    const { status, json } = await acme.get(`/portal/api/supplier/overview?${query}`);
    expect([status, json.code]).toEqual([400, 'invalid_query']);
  });
});
