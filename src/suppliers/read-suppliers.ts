// Reads every supplier by key.
import type { Tx } from '../platform/database/database.ts';
import { supplierOfRow, type SupplierRow } from './supplier-row.rules.ts';
import { readSuppliersSql } from './supplier.sql.ts';
import type { SupplierConfig } from './supplier.ts';

/** In the order of their keys. */
export async function readSuppliers(tx: Tx): Promise<Map<string, SupplierConfig>> {
  const rows = await tx.query<SupplierRow>(readSuppliersSql);
  return new Map(rows.map((row) => [row.supplierKey, supplierOfRow(row)]));
}
