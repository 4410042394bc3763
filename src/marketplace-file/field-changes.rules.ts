// Compares two forms of the same thing, member by member (contract 7.4: `fields` of a change).
import type { JsonValue } from '../base/json.ts';

/** Names as in the file; a member of a map is named with a dot: `caps.daily`. */
export type FieldChanges = Readonly<Record<string, { readonly from: JsonValue; readonly to: JsonValue }>>;
type Form = Readonly<Record<string, JsonValue>>;

// Compared and shown as a whole: names that may contain dots, an order that matters, or `false` as a value of its own.
const WHOLE: ReadonlySet<string> = new Set(['fieldMapping', 'fields', 'headers', 'query']);

/** The differences; forms that are equal as JSON text have none. */
export function fieldChanges(from: Form, to: Form): FieldChanges {
  return Object.fromEntries(changesOf(from, to, ''));
}

/** The set members of a new thing, without the key, which the change names already. */
export function fieldsOfNew(form: Form): FieldChanges {
  const stated = Object.entries(form).flatMap(([name, value]) => {
    const kept = name === 'key' ? null : withoutUnset(value, name);
    return kept === null ? [] : [[name, { from: null, to: kept }] as const];
  });
  return Object.fromEntries(stated);
}

/** The value without members that are null, false or empty; null if nothing is left. */
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
    // Forms have a fixed order of members, so equal values have equal texts.
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    if (!WHOLE.has(name) && isForm(before) && isForm(after)) return changesOf(before, after, `${prefix}${name}.`);
    return [[prefix + name, { from: before, to: after }]];
  });
}

function isForm(value: JsonValue): value is Form {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
