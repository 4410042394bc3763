// Reads suppliers from the database: one, all, or a page of a search.
import type { Tx } from '../platform/database/database.ts';
import { supplierOfRow } from './supplier-form.rules.ts';
import {
  pageOfSuppliersSql,
  readSuppliersSql,
  readSupplierSql,
  countSuppliersSql,
  listSuppliersSql,
} from './supplier.sql.ts';
import type { SupplierConfig, SupplierStatus } from './supplier.ts';

/** Ordered by key. */
export async function readSuppliers(tx: Tx): Promise<Map<string, SupplierConfig>> {
  const rows = await tx.query(readSuppliersSql);
  return new Map(rows.map((row) => [row.supplierKey, supplierOfRow(row)]));
}

/** The first `limit` suppliers after the key `after`, ordered by key. */
export async function pageSuppliers(
  tx: Tx,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<SupplierConfig[]> {
  return (await tx.query(pageOfSuppliersSql, { after: after ?? '', limit })).map(supplierOfRow);
}

/** The supplier as stored now, not as a process has cached it; null if there is none. */
export async function readSupplier(tx: Tx, supplierKey: string): Promise<SupplierConfig | null> {
  const [row] = await tx.query(readSupplierSql, { supplierKey });
  return row === undefined ? null : supplierOfRow(row);
}

export type SupplierQuery = {
  /** A part of the key or name. */
  readonly search: string | null;
  readonly status: SupplierStatus | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

/** All suppliers that a query finds, ordered by name. */
export async function findSuppliers(
  tx: Tx,
  { search, status }: Omit<SupplierQuery, 'page' | 'pageSize'>,
): Promise<SupplierConfig[]> {
  return (await tx.query(listSuppliersSql, { search, status, pageSize: null, offset: 0 })).map(supplierOfRow);
}

/** A page of suppliers ordered by name, for the console. */
export async function listSuppliers(
  tx: Tx,
  { search, status, page, pageSize }: SupplierQuery,
): Promise<{ total: number; suppliers: SupplierConfig[] }> {
  const [count] = await tx.query(countSuppliersSql, { search, status });
  const rows = await tx.query(listSuppliersSql, { search, status, pageSize, offset: (page - 1) * pageSize });
  return { total: count?.total ?? 0, suppliers: rows.map(supplierOfRow) };
}
