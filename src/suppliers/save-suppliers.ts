// Writes whole suppliers, new ones and changed ones alike.
import type { Tx } from '../platform/database/database.ts';
import { rowOfSupplier } from './supplier-row.rules.ts';
import { saveSuppliersSql } from './supplier.sql.ts';
import type { SupplierConfig } from './supplier.ts';

/** The caller has bumped the version and records history and audit. */
export async function saveSuppliers(tx: Tx, suppliers: readonly SupplierConfig[], now: Date): Promise<void> {
  if (suppliers.length === 0) return;
  const rows = suppliers.map(rowOfSupplier);
  await tx.query(saveSuppliersSql, {
    supplierKeys: rows.map((row) => row.supplierKey),
    names: rows.map((row) => row.name),
    statuses: rows.map((row) => row.status),
    fieldMappings: rows.map((row) => JSON.stringify(row.fieldMapping)),
    callbacks: rows.map((row) => (row.callback === null ? null : JSON.stringify(row.callback))),
    rateLimits: rows.map((row) => JSON.stringify(row.rateLimit)),
    now,
  });
}
