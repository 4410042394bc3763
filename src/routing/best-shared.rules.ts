// The shared offers of one tier that together pay most (contract 4, choice).
import type { Offer } from './offer.ts';

/** Whatever carries an offer. */
type Carrier = { readonly offer: Offer };

/**
 * The shared offers that together pay most. Each says among how many buyers at most it shares; the smallest number among those
 * taken binds them all. For each such number the best are the first so many that bear it.
 */
export function bestShared<Booked extends Carrier>(tier: readonly Booked[]): readonly Booked[] {
  const shared = tier.flatMap((booked) =>
    booked.offer.sale.kind === 'shared' ? [{ booked, atMost: booked.offer.sale.buyersAtMost }] : [],
  );
  let best: readonly Booked[] = [];
  for (const limit of new Set(shared.map(({ atMost }) => atMost))) {
    const taken = shared
      .filter(({ atMost }) => atMost >= limit)
      .slice(0, limit)
      .map(({ booked }) => booked);
    const more = sumOfPayouts(taken) - sumOfPayouts(best);
    if (more > 0 || (more === 0 && keysOf(taken) < keysOf(best))) best = taken;
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
