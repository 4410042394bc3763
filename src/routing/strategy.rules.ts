// Orders the offers of a tier by weight (reproducibly) or by turns, and picks winners in this order, for strategies other than price
// (contract 4.3; decision 045).
import { maxBuyers } from './best-by-price.rules.ts';
import type { Offer } from './offer.ts';

type WithOffer = { readonly offer: Offer };

/** The offers of a tier in the order of a strategy. */
export type OfferOrder<Indexed> = {
  /** The next offer that accepts so many buyers; null after the last one. The number must not fall from call to call. */
  next(buyers: number): Indexed | null;
};

/** What decides the order by weight, one array for each value: every lead reads it for all offers of the tier. */
export type WeightColumns<Indexed> = {
  /** By rising key. The arrays have the same order. */
  readonly offers: readonly Indexed[];
  readonly buyersAtMost: Int32Array;
  readonly weights: Float64Array;
  /** The sum of the weights. */
  readonly total: number;
  readonly hashes: Int32Array;
  readonly secondHashes: Int32Array;
  /** Lower bounds of the draws. Overwritten for each lead: a new array would cost as much as the choice. */
  readonly bounds: Float64Array;
};

/** Takes the offers by rising key. */
export function weightColumns<Indexed extends WithOffer>(offers: readonly Indexed[]): WeightColumns<Indexed> {
  const hashes = offers.map(({ offer }) => hashOf(offer.offerKey));
  const weights = Float64Array.from(offers, ({ offer }) => offer.weight || NO_WEIGHT);
  return {
    offers,
    buyersAtMost: Int32Array.from(offers, ({ offer }) => maxBuyers(offer)),
    weights,
    total: weights.reduce((sum, weight) => sum + weight, 0),
    hashes: Int32Array.from(hashes, ([hash]) => hash),
    secondHashes: Int32Array.from(hashes, ([, second]) => second),
    bounds: new Float64Array(offers.length),
  };
}

/**
 * Orders the offers of a tier, or only those of `among`, by an exponential draw with the weight as its rate: the smallest of draws with
 * rates w₁, w₂, … is the i-th with probability wᵢ / Σw. The draws come from hashes of lead and offer instead of random numbers: the same
 * lead among the same offers always gets the same one, and removing an offer moves only the leads that it had. Offers of weight 0 come
 * last, the lowest key first. Ends the order of the lead before.
 */
export function orderByWeight<Indexed>(
  columns: WeightColumns<Indexed>,
  leadId: string,
  among: ReadonlySet<Indexed> | null = null,
): OfferOrder<Indexed> {
  const { offers, buyersAtMost, weights, total, hashes, secondHashes, bounds } = columns;
  const [hash, secondHash] = hashOf(leadId);
  // A lead needs few offers, so only the near ones are compared; all others have draws above the limit.
  const limit = NEAR / total;
  const near: number[] = [];
  for (let row = 0; row < offers.length; row += 1) {
    const chance = chanceOf(hash ^ (hashes[row] as number), secondHash ^ (secondHashes[row] as number));
    const bound = chance / (weights[row] as number);
    bounds[row] = bound;
    if (bound < limit) near.push(row);
  }
  let lowest = Number.POSITIVE_INFINITY;
  let found = -1;
  const compare = (row: number, buyers: number): void => {
    const bound = bounds[row] as number;
    // Most offers need no logarithm: a draw is above its bound. Also passes over NaN.
    if (!(bound < lowest) || (buyersAtMost[row] as number) < buyers) return;
    const draw = drawFor(bound, weights[row] as number);
    if (draw >= lowest || among?.has(offers[row] as Indexed) === false) return;
    lowest = draw;
    found = row;
  };
  return {
    next(buyers) {
      lowest = Number.POSITIVE_INFINITY;
      found = -1;
      for (const row of near) compare(row, buyers);
      if (lowest >= limit) for (let row = 0; row < offers.length; row += 1) compare(row, buyers);
      if (found === -1) return null;
      bounds[found] = Number.NaN;
      return offers[found] as Indexed;
    },
  };
}

/** How many of many draws are below the limit, on average. */
const NEAR = 8;

/** Stands for the weight 0, which draws the highest number. */
const NO_WEIGHT = 1e-300;

/** The exponential draw -ln(1 - chance) / weight, from its lower bound chance / weight. */
function drawFor(bound: number, weight: number): number {
  return weight === NO_WEIGHT ? Number.MAX_VALUE : -Math.log(1 - bound * weight) / weight;
}

/** All offers of the market, the longest without a turn first. */
export type TurnQueue = {
  /** Positions in the offer index; -1 where an offer has moved to the end. */
  readonly order: number[];
  /** By position in the offer index. */
  readonly indexInOrder: number[];
  start: number;
};

/** `turns` are the numbers of the last turns, 0 for never, by position in the offer index: by rising key, which decides among equals. */
export function queueByTurn(turns: readonly number[]): TurnQueue {
  const count = turns.length;
  // One number for turn and position is sorted much faster than pairs.
  const sorted = new Float64Array(turns.map((turn, position) => turn * count + position)).toSorted();
  const order = Array.from(sorted, (both) => both % count);
  const indexInOrder = turns.map(() => 0);
  for (const [index, position] of order.entries()) indexInOrder[position] = index;
  return { order, indexInOrder, start: 0 };
}

/** Moves an offer to the end of the queue. */
export function takeTurn(queue: TurnQueue, position: number): void {
  const { order, indexInOrder } = queue;
  order[indexInOrder[position] as number] = -1;
  indexInOrder[position] = order.push(position) - 1;
  while (order[queue.start] === -1) queue.start += 1;
}

/** Orders the offers of a tier, or only those of `among`, by their turns. Valid until the next turn is taken. */
export function orderByTurn<Indexed extends WithOffer>(
  { order, start }: TurnQueue,
  /** By position in the offer index; 1 in `members` for the offers of the tier. */
  { offers, members }: { readonly offers: readonly Indexed[]; readonly members: Uint8Array },
  among: ReadonlySet<Indexed> | null = null,
): OfferOrder<Indexed> {
  let index = start;
  return {
    next(buyers) {
      while (index < order.length) {
        const position = order[index] as number;
        index += 1;
        if (position === -1 || members[position] !== 1) continue;
        const indexed = offers[position] as Indexed;
        if (maxBuyers(indexed.offer) >= buyers && among?.has(indexed) !== false) return indexed;
      }
      return null;
    },
  };
}

/**
 * Picks the first offer that takes part. An exclusive one takes the lead alone; after a shared one come further shared ones, as long as
 * every winner accepts that many buyers. Nobody wins if that is still undecided after `patience` offers that do not take part.
 */
export function winnersInOrder<Indexed extends WithOffer>(
  order: OfferOrder<Indexed>,
  takesPart: (indexed: Indexed) => boolean,
  patience = Number.POSITIVE_INFINITY,
): Indexed[] {
  const winners: Indexed[] = [];
  let atMost = Number.POSITIVE_INFINITY;
  let passedOver = 0;
  while (winners.length < atMost) {
    const next = order.next(winners.length + 1);
    if (next === null) break;
    if (takesPart(next)) {
      winners.push(next);
      atMost = Math.min(atMost, maxBuyers(next.offer));
    } else if (++passedOver > patience) {
      return [];
    }
  }
  return winners;
}

/** Two hashes of a text, each of 32 bits that depend on all of it. */
function hashOf(text: string): [hash: number, second: number] {
  let hash = 0x2c1b_3c6d;
  let second = 0x297a_2d39;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    hash = Math.imul(hash ^ code, 0x85eb_ca77);
    second = Math.imul(second ^ code, 0xc2b2_ae3d);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a_2d97) ^ Math.imul(second ^ (second >>> 15), 0xcaf6_49a9);
  second = Math.imul(second ^ (second >>> 16), 0x85eb_ca6b) ^ Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return [hash ^ (hash >>> 16), second ^ (second >>> 16)];
}

/** Uniform in 0 < c < 1. */
function chanceOf(first: number, second: number): number {
  let bits = Math.imul(first ^ (first >>> 16), 0x85eb_ca6b);
  bits = Math.imul((bits ^ (bits >>> 13)) + second, 0xc2b2_ae35);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b_3c6d);
  bits ^= bits >>> 16;
  return ((bits >>> 0) + 0.5) * 2 ** -32;
}
