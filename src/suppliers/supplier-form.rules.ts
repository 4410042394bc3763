// Converts a supplier from and to its form in the marketplace file, and its database row (contract 7.6).
import { centsOf, wireAmount } from '../base/money.ts';
import { storedTimeZone } from '../base/time-zone.rules.ts';
import { formOf } from '../marketplace/configured-form.rules.ts';
import type { FieldMapping, MappedTo } from './field-mapping.rules.ts';
import { type SupplierForm, SupplierSchema, supplierRateLimit } from './supplier.schema.ts';
import type { PayRate, PayTerms, SupplierConfig } from './supplier.ts';

export type MappingEntry = readonly [incomingName: string, target: FieldMapping[string]];

/**
 * The mapping's entries in their order, in a normal form: `{to}` without anything else is the name alone, constants are ordered by name.
 * Two mappings that do the same in the same order have the same entries.
 */
function mappingEntries(mapping: FieldMapping): MappingEntry[] {
  return Object.entries(mapping).map(([name, entry]): MappingEntry => {
    if (typeof entry === 'string') return [name, entry];
    if (name === '$set') {
      const constants = Object.entries(entry).toSorted(([one], [other]) => (one < other ? -1 : 1));
      return [name, Object.fromEntries(constants)];
    }
    const { to, ...how } = entry as Exclude<MappedTo, string>;
    const { transform, format, timeZone, orNothing } = how;
    const stated = {
      ...(transform === undefined ? {} : { transform }),
      ...(format === undefined ? {} : { format }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(orNothing === true ? { orNothing } : {}),
    };
    return [name, Object.keys(stated).length === 0 ? to : { to, ...stated }];
  });
}

/** The terms of a supplier whose file or row states none. */
export const noPay: PayTerms = {
  model: 'none',
  amountCents: null,
  share: null,
  rules: [],
  clawback: { onReturn: 'full', days: 60 },
  hold: { days: 14 },
};

/** `percent` has two decimals at most, so hundredths of it are whole numbers, like the cents of an amount. */
function rateOfForm({ amount, percent }: { readonly amount: number | null; readonly percent: number | null }): PayRate {
  return { amountCents: amount === null ? null : centsOf(amount), share: percent === null ? null : centsOf(percent) };
}

function rateForm({ amountCents, share }: PayRate) {
  return {
    amount: amountCents === null ? null : wireAmount(amountCents),
    percent: share === null ? null : wireAmount(share),
  };
}

function payForm({ amountCents, share, rules, ...pay }: PayTerms) {
  return {
    ...pay,
    ...rateForm({ amountCents, share }),
    rules: rules.map(({ when, ...rate }) => ({ when, ...rateForm(rate) })),
  };
}

function payOfForm({ amount, percent, rules, ...pay }: SupplierForm['pay']): PayTerms {
  return {
    ...pay,
    ...rateOfForm({ amount, percent }),
    rules: rules.map(({ when, ...rate }) => ({ when, ...rateOfForm(rate) })),
  };
}

/** Members in the order of the file, so that equal suppliers have forms that are equal as JSON text. */
export function supplierForm({ supplierKey, fieldMapping, pay, ...supplier }: SupplierConfig): SupplierForm {
  const mapping = Object.fromEntries(mappingEntries(fieldMapping));
  return formOf(SupplierSchema, { ...supplier, key: supplierKey, fieldMapping: mapping, pay: payForm(pay) });
}

/** `fieldMapping` must be a checked one. */
export function supplierOfForm({ key, fieldMapping, pay, ...form }: SupplierForm): SupplierConfig {
  const mapping = Object.fromEntries(mappingEntries(fieldMapping as FieldMapping));
  return { ...form, supplierKey: key, fieldMapping: mapping, pay: payOfForm(pay) };
}

/** `fieldMapping` is a list of entries: the order of a mapping matters, and jsonb keeps only the order of lists. */
export type SupplierRow = Omit<SupplierConfig, 'fieldMapping' | 'rateLimit' | 'pay'> & {
  /** null: never stated. */
  readonly pay: PayTerms | null;
  readonly fieldMapping: readonly MappingEntry[];
  readonly rateLimit: SupplierConfig['rateLimit'] | null;
};

export function supplierOfRow(row: SupplierRow): SupplierConfig {
  return {
    supplierKey: row.supplierKey,
    name: row.name,
    status: row.status,
    vertical: row.vertical,
    verticals: row.verticals,
    fieldMapping: Object.fromEntries(row.fieldMapping),
    callback: row.callback,
    rateLimit: row.rateLimit ?? supplierRateLimit,
    timeZone: storedTimeZone(row.timeZone),
    pay: row.pay ?? noPay,
  };
}

export function rowOfSupplier(supplier: SupplierConfig): SupplierRow {
  return { ...supplier, fieldMapping: mappingEntries(supplier.fieldMapping) };
}
