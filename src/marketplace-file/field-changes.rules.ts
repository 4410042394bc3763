// Compares two forms of the same thing member by member (contract 7.4: `fields` of a change).
import type { JsonValue } from '../base/json.ts';

/** In the words of the file; a member of a map is named with a dot: `caps.daily`. */
export type FieldChanges = Readonly<Record<string, { readonly from: JsonValue; readonly to: JsonValue }>>;
type Form = Readonly<Record<string, JsonValue>>;

// Compared and shown as a whole: its own names may hold dots, and their order decides.
const WHOLE: ReadonlySet<string> = new Set(['fieldMapping']);

/** What differs; forms that are equal as JSON text do not. */
export function fieldChanges(from: Form, to: Form): FieldChanges {
  return Object.fromEntries(changesOf(from, to, ''));
}

/** All that a new thing says: members that are not set are left out, so is the key, which the change names already. */
export function fieldsOfNew(form: Form): FieldChanges {
  const stated = Object.entries(form).flatMap(([name, value]) => {
    const kept = name === 'key' ? null : withoutUnset(value, name);
    return kept === null ? [] : [[name, { from: null, to: kept }] as const];
  });
  return Object.fromEntries(stated);
}

/** The value without members that say nothing: null, false, and what is empty then. null where nothing is left. */
export function withoutUnset(value: JsonValue | undefined, name: string): JsonValue {
  if (value === null || value === undefined || value === false) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value;
  if (!isForm(value)) return value;
  if (WHOLE.has(name)) return Object.keys(value).length === 0 ? null : value;
  const kept = Object.entries(value).flatMap(([member, inner]) => {
    const rest = withoutUnset(inner, member);
    return rest === null ? [] : [[member, rest] as const];
  });
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function changesOf(from: Form, to: Form, prefix: string): Array<[string, { from: JsonValue; to: JsonValue }]> {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].flatMap((name): Array<[string, { from: JsonValue; to: JsonValue }]> => {
    const before = from[name] ?? null;
    const after = to[name] ?? null;
    // Forms are built in one order of members, so equal values have equal texts.
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    if (!WHOLE.has(name) && isForm(before) && isForm(after)) return changesOf(before, after, `${prefix}${name}.`);
    return [[prefix + name, { from: before, to: after }]];
  });
}

function isForm(value: JsonValue): value is Form {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
