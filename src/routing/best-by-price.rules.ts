// The offers of one tier that pay most for a lead, and upper bounds on what unvisited offers can still add, so that the search stops
// as soon as they cannot win (contract 4.3).
import type { Offer } from './offer.ts';

type WithOffer = { readonly offer: Offer };

/** The best exclusive offer or the best set of shared ones. Takes one tier with one offer per partner, by falling payout. */
export function bestByPrice<Indexed extends WithOffer>(tier: readonly Indexed[]): readonly Indexed[] {
  const exclusive = tier.find(({ offer }) => offer.sale.kind === 'exclusive');
  const shared = bestShared(tier);
  return exclusive !== undefined && exclusive.offer.payoutCents >= sumOfPayouts(shared) ? [exclusive] : shared;
}

/**
 * The shared offers that together pay most. Each limits the number of buyers, and the smallest limit among the chosen offers binds them
 * all. For each limit the best set is the first so many offers that accept it.
 */
function bestShared<Indexed extends WithOffer>(tier: readonly Indexed[]): readonly Indexed[] {
  const shared = tier.filter(({ offer }) => offer.sale.kind === 'shared');
  let best: readonly Indexed[] = [];
  let bestCents = 0;
  for (const limit of new Set(shared.map(({ offer }) => maxBuyers(offer)))) {
    const chosen: Indexed[] = [];
    let cents = 0;
    for (const indexed of shared) {
      if (maxBuyers(indexed.offer) < limit) continue;
      cents += indexed.offer.payoutCents;
      if (chosen.push(indexed) === limit) break;
    }
    // A set that pays nothing is better than no sale.
    const isBetter = best.length === 0 || cents > bestCents || (cents === bestCents && keysOf(chosen) < keysOf(best));
    if (!isBetter) continue;
    best = chosen;
    bestCents = cents;
  }
  return best;
}

function sumOfPayouts(offers: readonly WithOffer[]): number {
  return offers.reduce((sum, { offer }) => sum + offer.payoutCents, 0);
}

/** Orders sets by their lowest key, then by the second lowest: a space sorts before every character of a key. */
function keysOf(offers: readonly WithOffer[]): string {
  return offers
    .map(({ offer }) => offer.offerKey)
    .toSorted()
    .join(' ');
}

/** The limit of a shared offer on the number of buyers; 1 for an exclusive offer. */
export function maxBuyers({ sale }: Offer): number {
  return sale.kind === 'shared' ? sale.buyersAtMost : 1;
}

/** The offers of a tier that accept `limit` buyers, open or not. */
type SharingGroup = {
  readonly limit: number;
  /** `sums[k]`: what the first k of them pay together, in trial order. */
  readonly sums: readonly number[];
  /** How many offers of the tier have exactly this limit. */
  readonly own: number;
};

/** Follows from the offers of a tier alone; computed once for many leads. */
export type TierBounds = {
  /** One per limit that occurs among the shared offers of the tier. */
  readonly groups: readonly SharingGroup[];
  /** Payouts of the exclusive offers, in trial order. */
  readonly exclusiveCents: readonly number[];
};

/** Takes the tier in trial order. */
export function boundsOf(tier: readonly Offer[]): TierBounds {
  const limits = new Set(tier.map((offer) => maxBuyers(offer)).filter((limit) => limit > 1));
  return {
    groups: [...limits].map((limit) => {
      const sums = [0];
      for (const offer of tier) {
        if (maxBuyers(offer) >= limit) sums.push((sums.at(-1) ?? 0) + offer.payoutCents);
      }
      return { limit, sums, own: tier.filter((offer) => maxBuyers(offer) === limit).length };
    }),
    exclusiveCents: tier.filter(({ sale }) => sale.kind === 'exclusive').map(({ payoutCents }) => payoutCents),
  };
}

/** A search for the best offers by price through one tier, in trial order. */
export type TierSearch = {
  /** Whether the next offer can be part of the best set or decide which set is best. */
  matters(offer: Offer): boolean;
  /** Records the next offer and whether it takes part; pass false without asking where the offer does not matter. */
  visit(offer: Offer, takesPart: boolean): void;
  /** Whether no following offer matters. */
  isDecided(): boolean;
};

/** Progress of the search through one group that can still be the best set. */
type Candidate = SharingGroup & {
  visited: number;
  /** Offers of the group that take part, up to the limit; later ones cannot pay more. */
  count: number;
  cents: number;
  ownLeft: number;
  /** Whether an offer with exactly this limit takes part; without one the limit does not apply. */
  applies: boolean;
};

export function searchTier({ groups, exclusiveCents }: TierBounds): TierSearch {
  let candidates = groups.map(({ limit, sums, own }): Candidate => ({
    ...{ limit, sums, own },
    ...{ visited: 0, count: 0, cents: 0, ownLeft: own, applies: false },
  }));
  let sharedCents = 0;
  let exclusive: number | null = null;
  let exclusivesVisited = 0;

  const mayWin = ({ limit, sums, visited, count, cents, ownLeft, applies }: Candidate): boolean => {
    const more = Math.min(limit - count, sums.length - 1 - visited);
    if (more === 0 && (applies || ownLeft === 0)) return false;
    const atBest = cents + (sums[visited + more] ?? 0) - (sums[visited] ?? 0);
    // On a tie an exclusive offer wins, and among shared sets the lowest keys, which following offers may have.
    return exclusive !== null && exclusive >= sharedCents ? atBest > exclusive : atBest >= sharedCents;
  };

  return {
    matters(offer) {
      if (offer.sale.kind === 'exclusive') return exclusive === null && offer.payoutCents >= sharedCents;
      const own = offer.sale.buyersAtMost;
      return candidates.some(
        ({ limit, count, applies }) => own >= limit && (count < limit || (own === limit && !applies)),
      );
    },
    visit(offer, takesPart) {
      if (offer.sale.kind === 'exclusive') {
        exclusivesVisited += 1;
        if (!takesPart || exclusive !== null) return;
        exclusive = offer.payoutCents;
      } else {
        const own = offer.sale.buyersAtMost;
        for (const candidate of candidates) {
          if (own < candidate.limit) continue;
          advance(candidate, own, takesPart ? offer.payoutCents : null);
          if (candidate.applies && candidate.cents > sharedCents) sharedCents = candidate.cents;
        }
      }
      // A candidate that cannot win now never will: its upper bound only falls, and the best so far only rises.
      if (!candidates.every(mayWin)) candidates = candidates.filter(mayWin);
    },
    isDecided: () =>
      candidates.length === 0 && (exclusive !== null || (exclusiveCents[exclusivesVisited] ?? -1) < sharedCents),
  };
}

/** `cents` is null for an offer that does not take part. */
function advance(candidate: Candidate, own: number, cents: number | null): void {
  candidate.visited += 1;
  if (own === candidate.limit) candidate.ownLeft -= 1;
  if (cents === null) return;
  if (own === candidate.limit) candidate.applies = true;
  if (candidate.count === candidate.limit) return;
  candidate.count += 1;
  candidate.cents += cents;
}
