// What suppliers read of their money, by API key and in the portal: earnings, statements, their documents and lines (contract 11.4).
import { gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid, typeId } from '../../src/base/ids.ts';
import { type ApiResponse, getAsBuyer, getAsSupplier, problem, problemFacts } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { type EarningMarket, earningMarket, earningYaml } from './earning-market.ts';

const clock = handClock('2026-11-05T12:00:00.000Z');
const PATH = '/api/v1/supplier';
let market: TestMarketplace;
let money: EarningMarket;
let session: SignedIn;
let east: (path: string) => Promise<ApiResponse>;
let west: typeof east;
/** East's of October. */
let statementId: string;

beforeAll(async () => {
  const partner = 'partners:\n  - { key: bay, name: Bay, channels: [] }\n';
  // A supplier that may not submit leads any more still reads what it has earned.
  const yaml = earningYaml.replace('name: West, status: approved', 'name: West, status: suspended') + partner;
  market = await startTestMarketplace({ yaml, role: 'api', clock });
  money = earningMarket(market.database);
  const lead = await money.cost('east', 1200, '2026-10-05T16:00:00.000Z', 14);
  await money.cost('east', 800, '2026-10-30T16:00:00.000Z', 14);
  await money.clawback('east', lead, 1200, '2026-10-20T16:00:00.000Z');
  await money.adjust('east', 500, '2026-10-21T16:00:00.000Z', '=cmd, a bonus');
  await money.pay('east', 300, 'SEPA 7', '2026-10-22T16:00:00.000Z');
  await money.cost('west', 100, '2026-10-30T16:00:00.000Z');
  statementId = typeId('statement', (await money.issued('east', '2026-10', '2026-11-02T00:00:00Z')).statementId);
  await money.cost('east', 77, '2026-11-04T16:00:00.000Z');
  const keys = { east: await market.supplierKey('east'), west: await market.supplierKey('west') };
  east = (path) => getAsSupplier(market.url, keys.east, PATH + path);
  west = (path) => getAsSupplier(market.url, keys.west, PATH + path);
  session = await market.signedIn.supplier('east');
});
afterAll(() => market.close());

describe('The earnings of a supplier', () => {
  it('are its balance, and every day of the window in its time zone', async () => {
    const { status, json } = await east('/earnings?days=20');
    expect([status, json.byDay.length]).toEqual([200, 20]);
    expect(json).toMatchObject({
      ...{ supplierKey: 'east', currency: 'EUR', timeZone: 'America/New_York', days: 20 },
      ...{ from: '2026-10-17', to: '2026-11-05', balance: 10.77, held: 8, payable: 2.77 },
      totals: { leads: 2, earned: 8.77, clawedBack: 12, paidOut: 3, adjusted: 5 },
      payouts: [{ reference: 'SEPA 7', amount: 3, recordedAt: '2026-10-22T16:00:00.000Z' }],
    });
    expect(json.byDay[3]).toEqual({ date: '2026-10-20', leads: 0, earned: 0, clawedBack: 12, paidOut: 0, adjusted: 0 });
    expect((await west('/earnings')).json).toMatchObject({ supplierKey: 'west', days: 30, balance: 1, payouts: [] });
  });

  it.each(['0', '366', '1.5', '', 'x'])('reject days=%s', async (days) => {
    expect((await east(`/earnings?days=${days}`)).status).toBe(400);
  });
});

describe('Statements of a supplier', () => {
  it('are listed with links, and read with their days and payouts', async () => {
    const { json, headers } = await east('/statements?pageSize=1');
    expect([json.total, headers.get('link')]).toEqual([1, expect.stringContaining('rel="last"')]);
    const amounts = { carried: 0, leads: 2, earned: 20, clawedBack: 12, paidOut: 3, adjusted: 5 };
    const stated = { statementId, month: '2026-10', ...amounts, total: 10, held: 8, payable: 2 };
    expect(json.data).toEqual([expect.objectContaining(stated)]);
    const one = await east(`/statements/${statementId}`);
    expect(one.json).toMatchObject({ ...stated, payouts: [{ reference: 'SEPA 7', amount: 3 }] });
    expect(one.json.days.map(({ day }: { day: number }) => day)).toEqual([5, 20, 21, 22, 30]);
    expect((await east('/statements?page=2')).json.data).toEqual([]);
    expect((await west('/statements')).json).toMatchObject({ total: 0, data: [] });
  });

  it('are documents and files of lines, plain or compressed', async () => {
    const pdf = await east(`/statements/${statementId}.pdf`);
    expect([pdf.status, pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
    const csv = await east(`/statements/${statementId}.csv`);
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="ST-2026-000001.csv"');
    expect(csv.text.split('\r\n')).toEqual([
      'externalId,leadId,time,kind,amount,reference',
      ',,2026-10-05T16:00:00.000Z,earned,12.00,',
      ',,2026-10-30T16:00:00.000Z,earned,8.00,',
      ',,2026-10-20T16:00:00.000Z,clawed_back,-12.00,',
      `,,2026-10-21T16:00:00.000Z,adjusted,5.00,"'=cmd, a bonus"`,
      ',,2026-10-22T16:00:00.000Z,paid_out,-3.00,SEPA 7',
      '',
    ]);
    const { payload, headers } = await market.runtime
      .app!.inject({
        url: `/portal${PATH}/statements/${statementId}.csv`,
        headers: { cookie: session.cookie, 'accept-encoding': 'gzip' },
        payloadAsStream: false,
      })
      .then((response) => ({ payload: response.rawPayload, headers: response.headers }));
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(payload).toString()).toBe(csv.text);
  });

  it('of another supplier are unknown, like ids that do not exist', async () => {
    for (const id of [statementId, typeId('statement', newUuid()), typeId('lead', newUuid()), 'x', '%00']) {
      for (const form of ['', '.pdf', '.csv']) {
        const response = await west(`/statements/${id}${form}`);
        expect([id, form, problemFacts(response)]).toEqual([id, form, problem(404, 'not_found')]);
      }
    }
  });

  it('and earnings are read in the portal as well, and by no partner', async () => {
    for (const path of ['/earnings', '/statements', `/statements/${statementId}`]) {
      const [own, shown] = [await east(path), await session.get(`/portal${PATH}${path}`)];
      expect([path, shown.status, shown.json]).toEqual([path, 200, own.json]);
      const partner = await getAsBuyer(market.url, await market.buyerToken('bay'), PATH + path);
      expect([path, partner.status]).toEqual([path, 401]);
    }
    const visitor = await market.signedIn.buyer('bay');
    expect((await visitor.get(`/portal${PATH}/earnings`)).status).toBeGreaterThanOrEqual(401);
  });
});
