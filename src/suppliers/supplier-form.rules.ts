// A supplier in the words of the marketplace file: what lists, differences and the export show (contract 7.6).
import type { FieldMapping } from './field-mapping.rules.ts';
import { callbackEvents, type SupplierConfig } from './supplier.ts';

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
export function supplierForm(supplier: SupplierConfig): Record<string, unknown> {
  const { callback, rateLimit } = supplier;
  return {
    key: supplier.supplierKey,
    name: supplier.name,
    status: supplier.status,
    fieldMapping: Object.fromEntries(mappingEntries(supplier.fieldMapping)),
    callback:
      callback === null
        ? null
        : { url: callback.url, events: callbackEvents.filter((event) => callback.events.includes(event)) },
    rateLimit: { perSecond: rateLimit.perSecond, burst: rateLimit.burst },
  };
}
