// Checks the own fields of a lead against the filters of an offer (contract 14.3).
import type { OwnFields, OwnValue } from './lead-fields.ts';

/** Bounds are inclusive. A zip code in a list may end in `*`. Empty members are left out. */
export type FieldFilter = {
  readonly in?: ReadonlyArray<string | number>;
  readonly notIn?: ReadonlyArray<string | number>;
  readonly min?: string | number;
  readonly max?: string | number;
  readonly is?: boolean;
};

/** What was found in an own field; without the value where a decision must not show it. */
export type FoundOwn = {
  readonly field: string;
  readonly label?: string;
  readonly value?: OwnValue['value'] | null;
  /** Partners do not get it. */
  readonly hidden?: true;
};

type Failure = { readonly code: OwnFilterCode; readonly want: unknown };
type LeftOutByField = Failure & { readonly got: FoundOwn };

export type OwnFilterCode =
  | 'field_missing'
  | 'field_not_wanted'
  | 'field_excluded'
  | 'field_too_low'
  | 'field_too_high';

/** The first filter that the own fields fail, in the order of their names; null if they pass all. */
export function failedOwnFilter(filters: Readonly<Record<string, FieldFilter>>, own: OwnFields): LeftOutByField | null {
  for (const name of Object.keys(filters)) {
    const filter = filters[name];
    if (filter === undefined) continue;
    const found = Object.hasOwn(own, name) ? own[name] : undefined;
    const failure = found === undefined ? failedMissing(filter) : failedValue(filter, found);
    if (failure !== null) return { ...failure, got: foundOwn(name, found) };
  }
  return null;
}

/** A decision is kept and shown longer and to more people than a lead, so it never has the value of a personal field. */
function foundOwn(field: string, found: OwnValue | undefined): FoundOwn {
  if (found === undefined) return { field, value: null };
  const { value, label, hidden, personal } = found;
  return {
    field,
    ...(label === undefined ? {} : { label }),
    ...(personal === true ? {} : { value }),
    ...(hidden === true ? { hidden } : {}),
  };
}

function failedMissing({ notIn: _notIn, ...wanted }: FieldFilter): Failure | null {
  return Object.keys(wanted).length === 0 ? null : { code: 'field_missing', want: wanted };
}

function failedValue({ in: wanted, notIn, min, max, is }: FieldFilter, { type, value }: OwnValue): Failure | null {
  if (wanted !== undefined && !isAmong(wanted, type, value)) return { code: 'field_not_wanted', want: wanted };
  if (notIn !== undefined && isAmong(notIn, type, value)) return { code: 'field_excluded', want: notIn };
  if (min !== undefined && !isAtLeast(value, min)) return { code: 'field_too_low', want: min };
  if (max !== undefined && !isAtLeast(max, value)) return { code: 'field_too_high', want: max };
  return is !== undefined && value !== is ? { code: 'field_not_wanted', want: is } : null;
}

/** Values of different types are never in order: the type of the field may have changed since the lead was posted. */
function isAtLeast(value: OwnValue['value'], bound: OwnValue['value']): boolean {
  return typeof value === typeof bound && value >= bound;
}

function isAmong(list: ReadonlyArray<string | number>, type: OwnValue['type'], value: OwnValue['value']): boolean {
  if (type === 'zip' && typeof value === 'string') return isZipAmong(list, value);
  return setOf(list).has(value);
}

const sets = new WeakMap<ReadonlyArray<string | number>, ReadonlySet<unknown>>();

/** Lists may have thousands of entries and are compared with every lead of the vertical. */
function setOf(list: ReadonlyArray<string | number>): ReadonlySet<unknown> {
  let found = sets.get(list);
  if (found === undefined) sets.set(list, (found = new Set(list)));
  return found;
}

/** Also a list entry without the last four digits, or a beginning with `*`. */
function isZipAmong(list: ReadonlyArray<string | number>, zip: string): boolean {
  const known = setOf(list);
  if (known.has(zip) || known.has(zip.slice(0, 5))) return true;
  for (let length = 1; length < zip.length; length += 1) {
    if (known.has(`${zip.slice(0, length)}*`)) return true;
  }
  return known.has(`${zip}*`);
}
