// A supplier in the words of the marketplace file: what lists, differences and the export show (contract 7.6).
import { formOf } from '../marketplace/configured-form.rules.ts';
import type { FieldMapping } from './field-mapping.rules.ts';
import { type SupplierForm, SupplierSchema } from './supplier.schema.ts';
import type { SupplierConfig } from './supplier.ts';

export type MappingEntry = readonly [incomingName: string, target: FieldMapping[string]];

/**
 * The mapping's entries in their order, each in one spelling: `{to}` without a transform is the name alone, constants stand in the
 * order of their names. Two mappings that do the same thing in the same order have the same entries.
 */
export function mappingEntries(mapping: FieldMapping): MappingEntry[] {
  return Object.entries(mapping).map(([name, entry]): MappingEntry => {
    if (typeof entry === 'string') return [name, entry];
    if (name === '$set') {
      const constants = Object.entries(entry).toSorted(([one], [other]) => (one < other ? -1 : 1));
      return [name, Object.fromEntries(constants)];
    }
    const { to, transform } = entry as { to: string; transform?: string };
    return [name, transform === undefined ? to : ({ to, transform } as FieldMapping[string])];
  });
}

/** Members in the order of the file; equal suppliers have forms that are equal as JSON text. */
export function supplierForm({ supplierKey, fieldMapping, ...supplier }: SupplierConfig): SupplierForm {
  const mapping = Object.fromEntries(mappingEntries(fieldMapping));
  return formOf(SupplierSchema, { ...supplier, key: supplierKey, fieldMapping: mapping });
}

/** `fieldMapping` has been checked. */
export function supplierOfForm({ key, fieldMapping, ...form }: SupplierForm): SupplierConfig {
  const mapping = Object.fromEntries(mappingEntries(fieldMapping as FieldMapping));
  return { ...form, supplierKey: key, fieldMapping: mapping };
}
