// How one of several open offers is picked where the price does not decide: by weight, reproducibly, or in turns (contract 4, choice).
import { hash } from 'node:crypto';

import type { BookedOffer } from './offer-book.rules.ts';

/** Picks one of the offers; at least one is given. */
export type Pick = (open: readonly BookedOffer[]) => BookedOffer;

/**
 * Each offer in proportion to its weight, by a hash of lead and offer instead of dice: the same lead among the same offers always
 * finds the same one, and taking an offer away moves only the leads that it had. Offers of weight 0 come last.
 */
export function pickByWeight(leadId: string): Pick {
  return (open) => {
    let best = open[0] as BookedOffer;
    let bestDraw = Number.POSITIVE_INFINITY;
    for (const booked of open) {
      const { offerKey, weight } = booked.offer;
      // The smallest of exponential draws with rates w₁, w₂, … is the i-th with probability wᵢ / Σw.
      const draw = weight > 0 ? -Math.log(chanceOf(leadId, offerKey)) / weight : Number.POSITIVE_INFINITY;
      if (draw < bestDraw || (draw === bestDraw && offerKey < best.offer.offerKey)) {
        best = booked;
        bestDraw = draw;
      }
    }
    return best;
  };
}

/** The offer that has waited longest for its turn; one that never had a turn before all others. */
export function pickByTurn(turnOf: (offerKey: string) => number): Pick {
  return (open) =>
    open.reduce((best, booked) => {
      const wait = turnOf(booked.offer.offerKey) - turnOf(best.offer.offerKey);
      return wait < 0 || (wait === 0 && booked.offer.offerKey < best.offer.offerKey) ? booked : best;
    });
}

/**
 * The strategy picks one among all open offers. An exclusive one takes the lead alone; after a shared one it goes on among the shared
 * ones, as long as everybody taken bears so many buyers.
 */
export function winnersByPick(open: readonly BookedOffer[], pick: Pick): readonly BookedOffer[] {
  if (open.length === 0) return [];
  const winners = [pick(open)];
  let atMost = buyersAtMost(winners[0] as BookedOffer);
  while (winners.length < atMost) {
    const room = winners.length + 1;
    const left = open.filter(
      (booked) => booked.offer.sale.kind === 'shared' && buyersAtMost(booked) >= room && !winners.includes(booked),
    );
    if (left.length === 0) break;
    const next = pick(left);
    winners.push(next);
    atMost = Math.min(atMost, buyersAtMost(next));
  }
  return winners;
}

function buyersAtMost({ offer }: BookedOffer): number {
  return offer.sale.kind === 'shared' ? offer.sale.buyersAtMost : 1;
}

/** Uniform in 0 < c < 1. */
function chanceOf(leadId: string, offerKey: string): number {
  const bits = Number.parseInt(hash('sha256', `${leadId} ${offerKey}`, 'hex').slice(0, 12), 16);
  return (bits + 0.5) / 2 ** 48;
}
