// Reads one supplier as it is in the database at this moment, whatever a process still has in memory.
import type { Tx } from '../platform/database/database.ts';
import { supplierOfRow } from './supplier-row.rules.ts';
import { readSupplierSql } from './supplier.sql.ts';
import type { SupplierConfig } from './supplier.ts';

/** Null where there is none. */
export async function readSupplier(tx: Tx, supplierKey: string): Promise<SupplierConfig | null> {
  const [row] = await tx.query(readSupplierSql, { supplierKey });
  return row === undefined ? null : supplierOfRow(row);
}
