// The stored form of a decision: who won and which offers the moment left out. What filters and standing left out is not stored
// but follows from the lead and from the configuration of the version that the decision names; it is worked out when asked for.
import type { DeliveryId, Uuid } from '../base/ids.ts';
import type { Decision } from './decide-batch.rules.ts';
import type { LeftOut, LeftOutCode } from './eligibility.rules.ts';
import type { LeadFacts } from './lead-facts.ts';
import { clockText, localDay } from './local-day.rules.ts';
import { type IndexedOffer, byTrial, unwanted } from './offer-index.rules.ts';
import { nextOpening } from './open-hours.rules.ts';

export type StoredTrace = {
  readonly sold: ReadonlyArray<{ offer: string; delivery: Uuid; payoutCents: number }>;
  /** Offer key, code, then the value found and the value it was compared with. */
  readonly left: ReadonlyArray<readonly [string, LeftOutCode, unknown?, unknown?]>;
  /** Milliseconds; only where the lead is held. */
  readonly retryAt?: number;
  /** When the first offer opens, where the lead is to wait longer because others of its batch have their places before it. */
  readonly opensAt?: number;
};

export type ExplainedOffer = {
  readonly offerKey: string;
  readonly partnerKey: string;
  readonly result: 'sold' | 'left_out';
  readonly code: LeftOutCode | 'sold';
  readonly got?: unknown;
  readonly want?: unknown;
};

type Sold = { readonly winner: IndexedOffer; readonly deliveryId: DeliveryId };

export function writeTrace({ choice, retryAt }: Decision, sold: readonly Sold[]): string {
  const { opensAt } = choice;
  const trace: StoredTrace = {
    sold: sold.map(({ winner, deliveryId }) => ({
      offer: winner.offer.offerKey,
      delivery: deliveryId,
      payoutCents: winner.offer.payoutCents,
    })),
    left: choice.leftOut.map(({ indexed: { offer }, why: { code, got, want } }) =>
      want !== undefined
        ? [offer.offerKey, code, got, want]
        : got !== undefined
          ? [offer.offerKey, code, got]
          : [offer.offerKey, code],
    ),
    ...(retryAt === null ? {} : { retryAt }),
    ...(retryAt === null || opensAt === null || opensAt >= retryAt ? {} : { opensAt }),
  };
  return JSON.stringify(trace);
}

/** What the decision was made on: the lead, all offers as its configuration had them, and the moment. */
export type Circumstances = {
  readonly facts: LeadFacts;
  readonly offers: readonly IndexedOffer[];
  readonly decidedAt: Date;
};

/** One line per offer, in the order of trial: sold, or the first rule that left it out with the values compared. */
export function explain(trace: StoredTrace, { facts, offers, decidedAt }: Circumstances): ExplainedOffer[] {
  const sold = new Set(trace.sold.map(({ offer }) => offer));
  const left = new Map(trace.left.map(([offerKey, code, got, want]) => [offerKey, { code, got, want }]));
  const inOrder = offers.toSorted((one, other) => byTrial(one.offer, other.offer));
  const reasons = new Map(
    inOrder.map((indexed) => [indexed, left.get(indexed.offer.offerKey) ?? unwanted(indexed, facts)] as const),
  );
  const winners = inOrder.filter(({ offer }) => sold.has(offer.offerKey));
  return inOrder.map((indexed) => {
    const { offerKey, buyerKey } = indexed.offer;
    const base = { offerKey, partnerKey: buyerKey };
    if (sold.has(offerKey)) return { ...base, result: 'sold', code: 'sold' };
    const why = reasons.get(indexed) ?? { code: lostTo(indexed, winners) };
    const ownBest = inOrder.find((other) => other.offer.buyerKey === buyerKey && reasons.get(other) === null);
    return { ...base, result: 'left_out', ...valuesOf(why, indexed, { winners, ownBest, decidedAt }) };
  });
}

/** The search ends with the winner, so an offer behind it has no stored reason: it lost to its partner's own or to somebody else's. */
function lostTo({ offer }: IndexedOffer, winners: readonly IndexedOffer[]): 'better_offer_of_partner' | 'outranked' {
  const isOwn = winners.some(
    (winner) => winner.offer.buyerKey === offer.buyerKey && winner.offer.priority === offer.priority,
  );
  return isOwn ? 'better_offer_of_partner' : 'outranked';
}

type Rivals = {
  readonly winners: readonly IndexedOffer[];
  /** The partner's own offer that took part. */
  readonly ownBest: IndexedOffer | undefined;
  readonly decidedAt: Date;
};

/** Adds what is not stored because it follows from the configuration. */
function valuesOf(
  { code, got, want }: LeftOut,
  indexed: IndexedOffer,
  { winners, ownBest, decidedAt }: Rivals,
): LeftOut {
  if (code === 'outside_schedule') return { code, ...clockOf(indexed, decidedAt) };
  const stronger =
    code === 'outranked' ? winners : code === 'better_offer_of_partner' && ownBest !== undefined ? [ownBest] : [];
  if (stronger.length > 0) {
    const offers = stronger.map(({ offer }) => offer.offerKey).toSorted();
    return { code, got: rankOf([indexed]), want: { offers, ...rankOf(stronger) } };
  }
  return { code, ...(got === undefined ? {} : { got }), ...(want === undefined ? {} : { want }) };
}

/** What offers are compared by. Those that share a lead count with their sum, and the smallest of their numbers binds them all. */
function rankOf(indexed: readonly IndexedOffer[]): {
  readonly priority: number;
  readonly payoutCents: number;
  readonly sharedWith?: number;
} {
  const limits = indexed.flatMap(({ offer }) => (offer.sale.kind === 'shared' ? offer.sale.buyersAtMost : []));
  return {
    priority: Math.min(...indexed.map(({ offer }) => offer.priority)),
    payoutCents: indexed.reduce((sum, { offer }) => sum + offer.payoutCents, 0),
    ...(limits.length === 0 ? {} : { sharedWith: Math.min(...limits) }),
  };
}

/** What the partner's clocks showed, and when they next show an hour of the schedule. */
function clockOf(
  { offer, buyer }: IndexedOffer,
  decidedAt: Date,
): { readonly got: string; readonly want: string | null } {
  const at = decidedAt.getTime();
  const day = localDay(decidedAt, buyer.timeZone);
  const opening = nextOpening(offer.schedule, day, at);
  return { got: clockText(day, at), want: opening === null ? null : new Date(opening).toISOString() };
}
