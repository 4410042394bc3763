// Reads suppliers by key: all of them, or a page.
import type { Tx } from '../platform/database/database.ts';
import { supplierOfRow } from './supplier-row.rules.ts';
import { pageOfSuppliersSql, readSuppliersSql } from './supplier.sql.ts';
import type { SupplierConfig } from './supplier.ts';

/** In the order of their keys. */
export async function readSuppliers(tx: Tx): Promise<Map<string, SupplierConfig>> {
  const rows = await tx.query(readSuppliersSql);
  return new Map(rows.map((row) => [row.supplierKey, supplierOfRow(row)]));
}

/** `limit` of those behind the key `after`, in the order of their keys. */
export async function pageSuppliers(
  tx: Tx,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<SupplierConfig[]> {
  return (await tx.query(pageOfSuppliersSql, { after: after ?? '', limit })).map(supplierOfRow);
}
