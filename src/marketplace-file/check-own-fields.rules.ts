// Checks the fields of a vertical in the marketplace file: members that fit the type, bounds, names and values (contract 7.6).
import { isMembers, type Members } from '../base/json.ts';
import { readComparable } from '../leads/own-values.rules.ts';
import { VERTICAL_NAME } from '../leads/supplier-verticals.rules.ts';
import type { FieldType } from '../marketplace/vertical.schema.ts';
import { standardNames } from '../suppliers/field-mapping.rules.ts';

/** `at` is a JSON Pointer from the checked value. */
type Fault = { readonly at: string; readonly message: string };

const BOUNDED: ReadonlySet<string> = new Set<FieldType>(['integer', 'number', 'money', 'date', 'datetime']);

// `constructor` and `prototype` cannot be mapped, and mislead libraries of receivers.
const TAKEN: ReadonlySet<string> = new Set([...standardNames, VERTICAL_NAME, 'constructor', 'prototype']);

// Marketplaces had such fields of their own before these were standard ones; a value is then read as both.
const ALLOWED: ReadonlySet<string> = new Set(['middle_name', 'name_prefix', 'name_suffix']);

/** One field, with its defaults filled in. */
export function checkOwnField(field: Members): Fault[] {
  const { name, type } = field;
  if (typeof name === 'string' && TAKEN.has(name) && !ALLOWED.has(name)) {
    return [{ at: '/name', message: `"${name}" is the name of a standard field; choose another` }];
  }
  if (typeof type !== 'string') return [];
  return [...choiceFaults(field, type), ...boundFaults(field, type), ...lengthFaults(field, type)];
}

/** Names and, for people who read them side by side, labels are unique. */
export function checkOwnFields(fields: readonly unknown[]): Fault[] {
  return [...repeated(fields, 'name'), ...repeated(fields, 'label')];
}

function repeated(fields: readonly unknown[], member: 'name' | 'label'): Fault[] {
  const seen = new Set<string>();
  return fields.flatMap((field, index): Fault[] => {
    const value = isMembers(field) ? field[member] : undefined;
    if (typeof value !== 'string') return [];
    if (seen.has(value))
      return [{ at: `/${index}/${member}`, message: `"${value}" is taken: an earlier field has it` }];
    seen.add(value);
    return [];
  });
}

function choiceFaults({ values }: Members, type: string): Fault[] {
  if (!Array.isArray(values)) return [];
  if (type !== 'enum') {
    return values.length === 0 ? [] : [{ at: '/values', message: 'belongs only to a field of type enum' }];
  }
  if (values.length === 0)
    return [{ at: '/values', message: 'must name what can be posted, because the type is enum' }];
  const seen = new Map<string, string>();
  return values.flatMap((value: unknown, index): Fault[] => {
    if (typeof value !== 'string') return [];
    const first = seen.get(value.toLowerCase());
    seen.set(value.toLowerCase(), value);
    // An entry that is repeated to the letter is reported as any repetition is.
    if (first === undefined || first === value) return [];
    return [{ at: `/values/${index}`, message: `is "${first}" in other capitals; values are read in any case` }];
  });
}

function boundFaults({ min, max }: Members, type: string): Fault[] {
  const bounds = Object.entries({ min, max }).filter(([, value]) => value !== null && value !== undefined);
  if (!BOUNDED.has(type)) {
    return bounds.map(([name]) => ({ at: `/${name}`, message: `does not belong to a field of type ${type}` }));
  }
  const faults = bounds.flatMap(([name, value]): Fault[] => {
    if (typeof value !== 'number' && typeof value !== 'string') return [];
    const isRead = readComparable({ type: type as FieldType, values: [] }, value) !== null;
    return isRead ? [] : [{ at: `/${name}`, message: BOUND_FORMS[type] ?? '' }];
  });
  if (faults.length > 0 || bounds.length < 2) return faults;
  const [low, high] = [min, max] as ReadonlyArray<number | string>;
  const isRange = low !== undefined && high !== undefined && comparable(low) <= comparable(high);
  return isRange ? [] : [{ at: '/max', message: 'must not be less than "min"' }];
}

/** Instants with different offsets. */
function comparable(bound: number | string): number | string {
  return readComparable({ type: typeof bound === 'number' ? 'number' : 'datetime', values: [] }, bound) ?? bound;
}

const BOUND_FORMS: Readonly<Record<string, string>> = {
  integer: 'must be a whole number',
  number: 'must be a number',
  money: 'must be an amount of at least 0 with at most two decimals',
  date: 'must be a day in quotes, such as "2026-01-31"',
  datetime: 'must be an instant in quotes, such as "2026-01-31T12:00:00Z"',
};

function lengthFaults({ minLength, maxLength }: Members, type: string): Fault[] {
  const lengths = Object.entries({ minLength, maxLength }).filter(([, value]) => typeof value === 'number');
  if (type !== 'text') {
    return lengths.map(([name]) => ({ at: `/${name}`, message: `does not belong to a field of type ${type}` }));
  }
  return Number(minLength ?? 0) > Number(maxLength ?? Infinity)
    ? [{ at: '/maxLength', message: 'must not be less than "minLength"' }]
    : [];
}
