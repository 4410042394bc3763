// What follows for a lead from the lists that it is on: nobody, or some partners and offers, may get it (contract 15.3).
import type { ListUse } from './list.ts';

/** A list that a lead is on. */
export type ListHit = {
  readonly listKey: string;
  readonly use: ListUse;
  /** The partner whose list it is; null for the operator's. */
  readonly buyerKey: string | null;
  readonly partners: readonly string[];
  readonly offers: readonly string[];
};

type Sale = { readonly offerKey: string; readonly buyerKey: string };

/** The key of the list for which nobody gets the lead; null without one. */
export function suppressedBy(hits: readonly ListHit[]): string | null {
  return firstKey(hits.filter(({ use }) => use === 'suppress'))?.listKey ?? null;
}

/** The list for which this offer does not get the lead: the partner's own one before the operator's. */
export function excludedBy(hits: readonly ListHit[], sale: Sale): ListHit | null {
  const found = hits.filter((hit) => hit.use === 'exclude' && concerns(hit, sale));
  return firstKey(found.filter(({ buyerKey }) => buyerKey !== null)) ?? firstKey(found);
}

/** The key of the list by which the lead counts as sold before, for this buyer. */
export function soldBy(hits: readonly ListHit[], { buyerKey }: Pick<Sale, 'buyerKey'>): string | null {
  const sold = hits.filter(({ use }) => use === 'sold');
  const toAll = firstKey(sold.filter(({ partners }) => partners.length === 0));
  return (toAll ?? firstKey(sold.filter(({ partners }) => partners.includes(buyerKey))))?.listKey ?? null;
}

/** A partner's list counts for its own offers only, also after another partner has taken over the key of one. */
function concerns(hit: ListHit, { offerKey, buyerKey }: Sale): boolean {
  if (hit.buyerKey !== null && hit.buyerKey !== buyerKey) return false;
  return hit.partners.includes(buyerKey) || hit.offers.includes(offerKey);
}

/** By key, so that the reason does not depend on the order of rows. */
function firstKey(hits: readonly ListHit[]): ListHit | null {
  return hits.toSorted((one, other) => (one.listKey < other.listKey ? -1 : 1))[0] ?? null;
}
