// A supplier as its row holds it, and the way there and back.
import { mappingEntries, type MappingEntry } from './supplier-form.rules.ts';
import type { SupplierConfig } from './supplier.ts';
import { supplierRateLimit } from './supplier.schema.ts';

/** `fieldMapping` as a list of entries: the order of a mapping decides, and jsonb keeps that of lists only. */
export type SupplierRow = Omit<SupplierConfig, 'fieldMapping' | 'rateLimit'> & {
  readonly fieldMapping: readonly MappingEntry[];
  readonly rateLimit: SupplierConfig['rateLimit'] | null;
};

export function supplierOfRow(row: SupplierRow): SupplierConfig {
  return {
    supplierKey: row.supplierKey,
    name: row.name,
    status: row.status,
    fieldMapping: Object.fromEntries(row.fieldMapping),
    callback: row.callback,
    rateLimit: row.rateLimit ?? supplierRateLimit,
  };
}

export function rowOfSupplier(supplier: SupplierConfig): SupplierRow {
  return { ...supplier, fieldMapping: mappingEntries(supplier.fieldMapping) };
}
