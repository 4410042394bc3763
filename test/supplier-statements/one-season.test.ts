// Both sides of the money, from a supplier's terms to its payout, with a return in between (contract 11).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call, getAsBuyer, getAsSupplier, postAsBuyer, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const yaml = `
marketplace: { currency: USD }
suppliers:
  - key: acme-media
    name: Acme Media
    status: approved
    timeZone: America/New_York
    pay: { model: share, percent: 60, clawback: { onReturn: full, days: 60 }, hold: { days: 14 } }
partners:
  - key: summit
    name: Summit Debt Relief
    channels: []
    returnPolicy: { windowBusinessDays: 10, monthlyCaps: { leads: 5, bookings: 5 } }
    offers: [{ key: all, eventType: Lead Sale, payout: 45.00 }]
`;

const clock = handClock('2026-11-21T15:00:00.000Z');
let market: TestMarketplace;
let supplierKey: string;
let buyerToken: string;
let sold: Json[];

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, clock });
  supplierKey = await market.supplierKey('acme-media');
  buyerToken = await market.buyerToken('summit');
});
afterAll(() => market.close());

const asSupplier = (path: string): Promise<ApiResponse> =>
  getAsSupplier(market.url, supplierKey, `/api/v1/supplier${path}`);

async function asOperator(method: string, path: string, body?: object): Promise<ApiResponse> {
  const token = await market.operatorToken(['read', 'operate', 'money']);
  return call(`${market.url}/api/v1/operator${path}`, {
    ...{ method, headers: { authorization: `Bearer ${token}` } },
    ...(body === undefined ? {} : { body }),
  });
}

/** The last line of the run at the console, which says what it came to. */
async function runMonth(month: string, dryRun: boolean): Promise<Json> {
  const operator = await market.signedIn.operator();
  const { text } = await operator.send('POST', '/console/api/statements/run', { month, dryRun });
  return JSON.parse(text.trim().split('\n').at(-1) ?? '');
}

describe('A supplier with terms', () => {
  it('earns its share with each sale, in the transaction that charges the partner', async () => {
    for (const serial of [1, 2, 3]) {
      await postLead(market.url, supplierKey, leadBody(serial));
      // One after the other, because the statement lists sales in their order. The clock stands still, and with it the rate limit: a
      // program may not ask until then.
      await eventually('the lead is sold', async () => {
        const confirmed = `SELECT FROM delivery WHERE status = 'Confirmed'`;
        return (await select(market.database, confirmed)).length === serial;
      });
    }
    sold = (await getAsBuyer(market.url, buyerToken, '/api/v1/buyer/leads')).json.data as Json[];
    expect((await getAsBuyer(market.url, buyerToken, '/api/v1/buyer/billing')).json.currentBalance).toBe(-135);
    // Nothing of it is paid out before the 14 days are over.
    expect((await asSupplier('/earnings')).json).toMatchObject({ balance: 81, held: 81, payable: 0 });
  });

  it('loses its share of a lead whose return is approved', async () => {
    const body = { deliveryId: sold[0].deliveryId, reason: 'duplicate' };
    const { json } = await postAsBuyer(market.url, buyerToken, '/api/v1/buyer/returns', { body });
    const approved = await asOperator('POST', `/claims/${String(json.returnId)}/approve`, {});
    expect([approved.status, approved.json.credit]).toEqual([200, 45]);
    expect((await getAsBuyer(market.url, buyerToken, '/api/v1/buyer/billing')).json.currentBalance).toBe(-90);
    expect((await asSupplier('/earnings')).json).toMatchObject({ balance: 54, held: 54, payable: 0 });
  });

  it('gets a statement of the month, once, after a preview that issues nothing', async () => {
    clock.set('2026-12-08T15:00:00.000Z');
    expect(await runMonth('2026-11', true)).toMatchObject({ kind: 'end', statements: 1, earned: 81 });
    expect((await asSupplier('/statements')).json.total).toBe(0);
    expect(await runMonth('2026-11', false)).toMatchObject({ statements: 1, existed: 0 });
    expect(await runMonth('2026-11', false)).toMatchObject({ statements: 0, existed: 1 });
    const { data } = (await asSupplier('/statements')).json;
    expect(data).toMatchObject([
      { month: '2026-11', carried: 0, leads: 3, earned: 81, clawedBack: 27, total: 54, held: 54, payable: 0 },
    ]);
  });

  it('finds a line for each of its leads in the file, and neither partner nor price in any form', async () => {
    const [{ statementId }] = (await asSupplier('/statements')).json.data as [Json];
    const { text } = await asSupplier(`/statements/${String(statementId)}.csv`);
    const lines = text.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.replace(/lead_\w{26},[^,]*/, '…'))).toEqual([
      'lead-1,…,earned,27.00,',
      'lead-2,…,earned,27.00,',
      'lead-3,…,earned,27.00,',
      expect.stringMatching(/^lead-\d,…,clawed_back,-27\.00,$/),
    ]);
    const seen = await Promise.all(
      [`/statements/${String(statementId)}`, '/statements', '/earnings'].map((path) => asSupplier(path)),
    );
    for (const { text: shown } of seen) expect(shown).not.toMatch(/[Ss]ummit|45/);
  });

  it('is paid out once, and never more than it is owed', async () => {
    expect((await asSupplier('/earnings')).json).toMatchObject({ balance: 54, held: 0, payable: 54 });
    const payout = { supplier: 'acme-media', amount: 54, reference: 'SEPA 2026-12-08' };
    const first = await asOperator('POST', '/payouts', payout);
    const again = await asOperator('POST', '/payouts', payout);
    expect([first.status, again.json]).toEqual([200, first.json]);
    const more = await asOperator('POST', '/payouts', { ...payout, amount: 0.01, reference: 'SEPA 2' });
    expect([more.status, more.json.errors[0].field]).toEqual([422, 'amount']);
    const earnings = await asSupplier('/earnings');
    expect(earnings.json).toMatchObject({ balance: 0, payouts: [{ amount: 54, reference: 'SEPA 2026-12-08' }] });
  });

  it('sees the payout on the next statement, and the operator keeps the margin', async () => {
    clock.set('2027-01-02T15:00:00.000Z');
    await runMonth('2026-12', false);
    const [{ statementId }] = (await asSupplier('/statements')).json.data as [Json];
    const { json } = await asSupplier(`/statements/${String(statementId)}`);
    const amounts = { carried: 54, leads: 0, earned: 0, clawedBack: 0, paidOut: 54, total: 0, payable: 0 };
    expect(json).toMatchObject({ month: '2026-12', ...amounts, payouts: [{ amount: 54 }] });
    const report = await asOperator('GET', '/reports?measures=revenue,cost,margin&from=2026-11-01&until=2027-01-02');
    expect(report.json.totals).toEqual({ revenue: 90, cost: 54, margin: 36 });
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});
