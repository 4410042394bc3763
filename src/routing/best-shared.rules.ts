// The shared offers of one tier that together pay most (contract 4.3).
import type { Offer } from './offer.ts';
import { buyersAtMost } from './tier-bounds.rules.ts';

/** Whatever carries an offer. */
type Carrier = { readonly offer: Offer };

/**
 * The shared offers that together pay most. Each says among how many buyers at most it shares; the smallest number among those
 * taken binds them all. For each such number the best are the first so many that bear it.
 */
export function bestShared<Indexed extends Carrier>(tier: readonly Indexed[]): readonly Indexed[] {
  const shared = tier.filter(({ offer }) => offer.sale.kind === 'shared');
  let best: readonly Indexed[] = [];
  let bestCents = 0;
  for (const limit of new Set(shared.map(({ offer }) => buyersAtMost(offer)))) {
    const taken: Indexed[] = [];
    let cents = 0;
    for (const indexed of shared) {
      if (buyersAtMost(indexed.offer) < limit) continue;
      cents += indexed.offer.payoutCents;
      if (taken.push(indexed) === limit) break;
    }
    // Who pays nothing is better than nobody.
    const isBetter = best.length === 0 || cents > bestCents || (cents === bestCents && keysOf(taken) < keysOf(best));
    if (!isBetter) continue;
    best = taken;
    bestCents = cents;
  }
  return best;
}

export function sumOfPayouts(offers: readonly Carrier[]): number {
  return offers.reduce((sum, { offer }) => sum + offer.payoutCents, 0);
}

/** The set with the lowest key comes first, then the one with the lowest second key; a space is lower than whatever keys consist of. */
function keysOf(offers: readonly Carrier[]): string {
  return offers
    .map(({ offer }) => offer.offerKey)
    .toSorted()
    .join(' ');
}
