// What the offers of a tier that were not looked at yet could still change: the search by price ends as soon as that is nothing
// (contract 4.3).
import type { Offer } from './offer.ts';

/** Of one number of buyers at most: the offers that bear so many, whatever the moment makes of them. */
type Bearers = {
  readonly atMost: number;
  /** At index k what the first k of them pay together, in the order of trial. */
  readonly sums: readonly number[];
  /** How many of the tier's offers say exactly this number. */
  readonly own: number;
};

/** What follows from the offers of a tier alone, made once for many leads. */
export type TierBounds = {
  /** For each number of buyers that a shared offer of the tier says. */
  readonly bearers: readonly Bearers[];
  /** What the exclusive ones pay, in the order of trial. */
  readonly exclusiveCents: readonly number[];
};

/** `tier` in the order of trial. */
export function boundsOf(tier: readonly Offer[]): TierBounds {
  const numbers = new Set(tier.map((offer) => buyersAtMost(offer)).filter((atMost) => atMost > 1));
  return {
    bearers: [...numbers].map((atMost) => {
      const sums = [0];
      for (const offer of tier) {
        if (buyersAtMost(offer) >= atMost) sums.push((sums.at(-1) ?? 0) + offer.payoutCents);
      }
      return { atMost, sums, own: tier.filter((offer) => buyersAtMost(offer) === atMost).length };
    }),
    exclusiveCents: tier.filter(({ sale }) => sale.kind === 'exclusive').map(({ payoutCents }) => payoutCents),
  };
}

/** One for an exclusive offer. */
export function buyersAtMost({ sale }: Offer): number {
  return sale.kind === 'shared' ? sale.buyersAtMost : 1;
}

/** A search for the best by price through one tier, in the order of trial. */
export type Search = {
  /** Whether the next offer can be part of the best or decide which that is. */
  matters(offer: Offer): boolean;
  /** Tells of the next offer, and whether it takes part. Who does not matter does not have to be asked. */
  see(offer: Offer, takesPart: boolean): void;
  /** Whether none of those that follow matters. */
  isDecided(): boolean;
};

/** How far the search has come among the bearers of one number that may still be the best together. */
type Hopeful = Bearers & {
  seen: number;
  /** Those of them that take part, as far as there is room for them: behind them nobody pays more. */
  count: number;
  cents: number;
  ownLeft: number;
  /** Whether an offer with exactly this number takes part; before that the number binds nobody. */
  counts: boolean;
};

export function searchTier({ bearers, exclusiveCents }: TierBounds): Search {
  let hopeful = bearers.map(({ atMost, sums, own }): Hopeful => ({
    ...{ atMost, sums, own },
    ...{ seen: 0, count: 0, cents: 0, ownLeft: own, counts: false },
  }));
  let sharedCents = 0;
  let exclusive: number | null = null;
  let exclusivesSeen = 0;

  const mayWin = ({ atMost, sums, seen, count, cents, ownLeft, counts }: Hopeful): boolean => {
    const more = Math.min(atMost - count, sums.length - 1 - seen);
    if (more === 0 && (counts || ownLeft === 0)) return false;
    const atBest = cents + (sums[seen + more] ?? 0) - (sums[seen] ?? 0);
    // Equal means exclusive, and among shared ones the lowest keys, which those that follow may have.
    return exclusive !== null && exclusive >= sharedCents ? atBest > exclusive : atBest >= sharedCents;
  };

  return {
    matters(offer) {
      if (offer.sale.kind === 'exclusive') return exclusive === null && offer.payoutCents >= sharedCents;
      const own = offer.sale.buyersAtMost;
      return hopeful.some(
        ({ atMost, count, counts }) => own >= atMost && (count < atMost || (own === atMost && !counts)),
      );
    },
    see(offer, takesPart) {
      if (offer.sale.kind === 'exclusive') {
        exclusivesSeen += 1;
        if (!takesPart || exclusive !== null) return;
        exclusive = offer.payoutCents;
      } else {
        const own = offer.sale.buyersAtMost;
        for (const list of hopeful) {
          if (own < list.atMost) continue;
          pass(list, own, takesPart ? offer.payoutCents : null);
          if (list.counts && list.cents > sharedCents) sharedCents = list.cents;
        }
      }
      // What cannot win now never will: the most it can reach only falls, and what it has to beat only rises.
      if (!hopeful.every(mayWin)) hopeful = hopeful.filter(mayWin);
    },
    isDecided: () =>
      hopeful.length === 0 && (exclusive !== null || (exclusiveCents[exclusivesSeen] ?? -1) < sharedCents),
  };
}

/** `cents` is null for an offer that takes no part. */
function pass(list: Hopeful, own: number, cents: number | null): void {
  list.seen += 1;
  if (own === list.atMost) list.ownLeft -= 1;
  if (cents === null) return;
  if (own === list.atMost) list.counts = true;
  if (list.count === list.atMost) return;
  list.count += 1;
  list.cents += cents;
}
