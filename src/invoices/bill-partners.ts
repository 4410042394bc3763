// Issues invoices to all partners in the monthly run (contract 6.20).
import { strict as assert } from 'node:assert';
import { readBuyer, readBuyers } from '../buyers/read-buyers.ts';
import type { BillingIssuer } from './billing-run.ts';
import { issueInvoice } from './issue-invoice.ts';

export const invoiceIssuer: BillingIssuer = {
  kind: 'invoices',
  async owners(tx) {
    return [...(await readBuyers(tx)).values()].map(({ buyerKey, timeZone }) => ({ key: buyerKey, timeZone }));
  },
  async issue(tx, { ownerKey, month }, now) {
    const buyer = await readBuyer(tx, ownerKey);
    assert(buyer !== null, 'a partner to be invoiced is not in the database');
    const outcome = await issueInvoice(tx, { buyer, month, actor: { type: 'system', name: 'invoices' } }, now);
    // Its time zone was changed a moment ago; the next run tries again.
    if (!outcome.ok) throw new Error(`the month is not over in ${buyer.timeZone}`);
    const { kind, invoice } = outcome.value;
    return { outcome: kind, number: invoice?.number ?? null };
  },
};
