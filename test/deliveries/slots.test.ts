// A slot of an endpoint queue is for a request under way: it does not wait for the result to be stored (contract 4.9; decision 047).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { holdTable } from '../support/held-table.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** More than an endpoint queue has slots. */
const LEADS = 60;

let receiver: Receiver;
let market: TestMarketplace;

beforeAll(async () => {
  receiver = await startReceiver();
  market = await startTestMarketplace({
    allowTargets: [receiver.origin],
    yaml: `
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 1000, burst: 1000 } }]
partners:
  - key: summit
    channels: [webhook]
    settings: { webhookUrl: "${receiver.origin}" }
    offers: [{ key: all, eventType: Lead Sale, payout: 10, filters: { states: [CA] } }]`,
  });
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

describe('An endpoint that responds', () => {
  it('gets all that waits for it while no result can be stored, and each lead once', async () => {
    // Charges cannot be drafted, so no confirmation commits.
    const held = await holdTable(market.database, 'transfer');
    const supplier = connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 8 });
    await supplier.postAll(Array.from({ length: LEADS }, (_, index) => leadBody(index)));
    await eventually('the endpoint has every lead', () => receiver.requests.length >= LEADS);
    const status = `SELECT status, count(*)::int AS deliveries FROM delivery GROUP BY 1`;
    expect(await select(market.database, status)).toEqual([{ status: 'Pending', deliveries: LEADS }]);
    await held.release();
    await eventually('all are confirmed', async () => {
      const [row, ...others] = await select<{ status: string }>(market.database, status);
      return row?.status === 'Confirmed' && others.length === 0;
    });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(LEADS);
    expect(receiver.requests).toHaveLength(LEADS);
    expect(await ledgerFaults(market.database)).toEqual([]);
    await supplier.close();
  });
});
