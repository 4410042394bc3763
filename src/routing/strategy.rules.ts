// Picks winners among the open offers by weight (reproducibly) or in turns, for strategies other than price (contract 4.3).
import { hash } from 'node:crypto';

import type { IndexedOffer } from './offer-index.rules.ts';
import { maxBuyers } from './best-by-price.rules.ts';

/** Picks one of the offers; the list must not be empty. */
export type Pick = (open: readonly IndexedOffer[]) => IndexedOffer;

/**
 * Picks each offer in proportion to its weight, by a hash of lead and offer instead of a random number: the same lead among the same
 * offers always gets the same one, and removing an offer moves only the leads that it had. Offers of weight 0 come last.
 */
export function pickByWeight(leadId: string): Pick {
  // Cached, because a shared lead calls the pick again for each further buyer.
  const draws = new Map<IndexedOffer, number>();
  const drawOf = (indexed: IndexedOffer): number => {
    let draw = draws.get(indexed);
    if (draw === undefined) draws.set(indexed, (draw = drawFor(leadId, indexed)));
    return draw;
  };
  return (open) => lowest(open, drawOf);
}

/** The smallest of exponential draws with rates w₁, w₂, … is the i-th with probability wᵢ / Σw. */
function drawFor(leadId: string, { offer: { offerKey, weight } }: IndexedOffer): number {
  return weight > 0 ? -Math.log(chanceOf(leadId, offerKey)) / weight : Number.POSITIVE_INFINITY;
}

/** Picks the offer whose last turn is longest ago; an offer that never had a turn comes before all others. */
export function pickByTurn(turnOf: (offerKey: string) => number): Pick {
  return (open) => lowest(open, ({ offer }) => turnOf(offer.offerKey));
}

/** The offer with the lowest rank, and among equals the one with the lowest key. */
function lowest(open: readonly IndexedOffer[], rankOf: (indexed: IndexedOffer) => number): IndexedOffer {
  let best = open[0] as IndexedOffer;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const indexed of open) {
    const rank = rankOf(indexed);
    if (rank > bestRank || (rank === bestRank && indexed.offer.offerKey >= best.offer.offerKey)) continue;
    best = indexed;
    bestRank = rank;
  }
  return best;
}

/**
 * The strategy picks one of all open offers. An exclusive one takes the lead alone; after a shared one it picks further shared ones, as
 * long as every winner accepts that many buyers.
 */
export function winnersByPick(open: readonly IndexedOffer[], pick: Pick): readonly IndexedOffer[] {
  if (open.length === 0) return [];
  const winners = [pick(open)];
  let atMost = maxBuyers((winners[0] as IndexedOffer).offer);
  while (winners.length < atMost) {
    const buyers = winners.length + 1;
    const left = open.filter(
      (indexed) =>
        indexed.offer.sale.kind === 'shared' && maxBuyers(indexed.offer) >= buyers && !winners.includes(indexed),
    );
    if (left.length === 0) break;
    const next = pick(left);
    winners.push(next);
    atMost = Math.min(atMost, maxBuyers(next.offer));
  }
  return winners;
}

/** Uniform in 0 < c < 1. */
function chanceOf(leadId: string, offerKey: string): number {
  const bits = Number.parseInt(hash('sha256', `${leadId} ${offerKey}`, 'hex').slice(0, 12), 16);
  return (bits + 0.5) / 2 ** 48;
}
