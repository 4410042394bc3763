// The name of a vertical as people read it.
import type { Vertical } from './verticals.ts';

export type NamedVerticals = ReadonlyMap<string, Pick<Vertical, 'name'>>;

/** A vertical that no longer exists has its key as a name; null for no vertical. */
export function verticalName(key: string | null | undefined, verticals: NamedVerticals): string | null {
  return key === null || key === undefined ? null : (verticals.get(key)?.name ?? key);
}
