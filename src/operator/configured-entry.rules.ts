// Turns one resource of the configuration API into a part of a marketplace file: replacing it whole, or by a merge patch (contract 10.4).
import { isMembers, type JsonValue } from '../base/json.ts';
import type { Fragment } from '../marketplace-file/fragment.rules.ts';

export type ConfiguredKind = 'vertical' | 'supplier' | 'partner' | 'offer';
type Entry = Readonly<Record<string, JsonValue>>;

/** RFC 7396, except that null stays at the top, where a part of a file takes it as the default. */
export function mergePatch(current: Entry, patch: Entry): Entry {
  return { ...current, ...mapped(patch, (name, value) => merged(current[name], value)) };
}

function merged(before: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isMembers(patch)) return patch;
  const base = (isMembers(before) ? before : {}) as Entry;
  const members = { ...base, ...mapped(patch, (name, value) => merged(base[name], value)) };
  return Object.fromEntries(Object.entries(members).filter(([name]) => patch[name] !== null));
}

function mapped(entry: Entry, make: (name: string, value: JsonValue) => JsonValue): Entry {
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, make(name, value)]));
}

/**
 * The whole resource: what the body leaves out gets its default. A partner's settings and offers stay, because the partner changes the
 * former itself and the latter are resources of their own.
 */
export function replacement(kind: ConfiguredKind, current: Entry | null, body: Entry): Entry {
  const kept: readonly string[] = kind === 'partner' ? ['settings', 'offers', 'endpointDisabledAt'] : ['partner'];
  const names = Object.keys(current ?? {}).filter((name) => !kept.includes(name));
  return { ...Object.fromEntries(names.map((name) => [name, null])), ...body };
}

/** Null if an offer does not say whose it is. */
export function fragmentOf(kind: ConfiguredKind, entry: Entry): Fragment | null {
  if (kind === 'vertical') return { verticals: [entry] };
  if (kind === 'supplier') return { suppliers: [entry] };
  if (kind === 'partner') return { partners: [entry] };
  const { partner, ...offer } = entry;
  return typeof partner === 'string' ? { partners: [{ key: partner, offers: [offer] }] } : null;
}
