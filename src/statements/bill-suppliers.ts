// Issues statements to all suppliers in the monthly run (contract 6.20, 11.3).
import { strict as assert } from 'node:assert';
import type { BillingIssuer } from '../invoices/billing-run.ts';
import { readSupplier, readSuppliers } from '../suppliers/read-suppliers.ts';
import { issueStatement } from './issue-statement.ts';

export const statementIssuer: BillingIssuer = {
  kind: 'statements',
  async owners(tx) {
    return [...(await readSuppliers(tx)).values()].map(({ supplierKey, timeZone }) => ({ key: supplierKey, timeZone }));
  },
  async issue(tx, { ownerKey, month }, now) {
    const supplier = await readSupplier(tx, ownerKey);
    assert(supplier !== null, 'a supplier whose statement is due is not in the database');
    const outcome = await issueStatement(tx, { supplier, month, actor: { type: 'system', name: 'statements' } }, now);
    // Its time zone was changed a moment ago; the next run tries again.
    if (!outcome.ok) throw new Error(`the month is not over in ${supplier.timeZone}`);
    const { kind, statement } = outcome.value;
    return { outcome: kind, number: statement?.number ?? null };
  },
};
