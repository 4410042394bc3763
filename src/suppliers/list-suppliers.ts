// Lists suppliers by their names, a page at a time, for the operator's console.
import type { Tx } from '../platform/database/database.ts';
import { supplierOfRow } from './supplier-row.rules.ts';
import { countWantedSuppliersSql, listSuppliersSql } from './supplier.sql.ts';
import type { SupplierConfig, SupplierStatus } from './supplier.ts';

export type SupplierQuery = {
  /** Part of a key or name. */
  readonly search: string | null;
  readonly status: SupplierStatus | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

export async function listSuppliers(
  tx: Tx,
  { search, status, page, pageSize }: SupplierQuery,
): Promise<{ total: number; suppliers: SupplierConfig[] }> {
  const [count] = await tx.query(countWantedSuppliersSql, { search, status });
  const rows = await tx.query(listSuppliersSql, { search, status, pageSize, offset: (page - 1) * pageSize });
  return { total: count?.total ?? 0, suppliers: rows.map(supplierOfRow) };
}
