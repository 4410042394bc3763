// The verticals that a supplier may post into (contract 3.1).
import type { Vertical } from '../marketplace/verticals.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';

/** The member of a submission that names its vertical; a member like any other where the marketplace has no verticals. */
export const VERTICAL_NAME = 'vertical';

export type SupplierVerticals = {
  /** The key of the vertical of leads that name none; null if they belong to no vertical. */
  readonly byDefault: string | null;
  /** The verticals that take its leads, by key: no closed ones. */
  readonly open: ReadonlyMap<string, Vertical>;
};

/** What field mappings may name besides the standard names; nothing without verticals. */
export function ownNamesOf(verticals: ReadonlyMap<string, Vertical>): string[] {
  if (verticals.size === 0) return [];
  return [VERTICAL_NAME, ...[...verticals.values()].flatMap(({ fields }) => fields.map(({ name }) => name))];
}

/** Null where the marketplace has no verticals. */
export function verticalsOf(
  { vertical, verticals }: Pick<SupplierConfig, 'vertical' | 'verticals'>,
  all: ReadonlyMap<string, Vertical>,
): SupplierVerticals | null {
  if (all.size === 0) return null;
  const keys = new Set([...(vertical === null ? [] : [vertical]), ...verticals]);
  const open = [...keys].flatMap((key) => {
    const found = all.get(key);
    return found?.status === 'active' ? [[key, found] as const] : [];
  });
  return { byDefault: vertical, open: new Map(open) };
}
