// The stored form of a decision: the winners, and the offers that schedule, caps, funds or duplicates left out. Offers excluded by status
// or filters are not stored: they follow from the lead and the configuration version of the decision, and are computed on request.
import { computeApart } from '../base/apart.ts';
import type { DeliveryId, Uuid } from '../base/ids.ts';
import type { Decision } from './decide-batch.rules.ts';
import { type LeftOut, type LeftOutCode, ruleFailed } from './eligibility.rules.ts';
import type { LeadFacts } from './lead-facts.ts';
import { clockText, localDay } from './local-day.rules.ts';
import { type IndexedOffer, byTrial, tried, unwanted } from './offer-index.rules.ts';
import { nextOpening } from './open-hours.rules.ts';

export type StoredTrace = {
  readonly sold: ReadonlyArray<{ offer: string; delivery: Uuid; payoutCents: number }>;
  /** Offer key, code, then the value found and the value it was compared with. */
  readonly left: ReadonlyArray<readonly [string, LeftOutCode, unknown?, unknown?]>;
  /** The key of the list for which no offer was considered. */
  readonly suppressedBy?: string;
  /** Milliseconds; only where the lead is held. */
  readonly retryAt?: number;
  /** When the first offer opens, if the lead must wait longer because other leads of its batch come first. */
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
  const { opensAt, suppressedBy } = choice;
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
    ...(suppressedBy === null ? {} : { suppressedBy }),
    ...(retryAt === null ? {} : { retryAt }),
    ...(retryAt === null || opensAt === null || opensAt >= retryAt ? {} : { opensAt }),
  };
  return JSON.stringify(trace);
}

/** The input of the decision: the lead, all offers of its configuration version, and the time. */
export type Circumstances = {
  readonly facts: LeadFacts;
  readonly offers: readonly IndexedOffer[];
  readonly decidedAt: Date;
};

/** One result per offer, in trial order: sold, or the first rule that left it out with the values compared. */
export function explain(trace: StoredTrace, { facts, offers, decidedAt }: Circumstances): ExplainedOffer[] {
  const sold = new Set(trace.sold.map(({ offer }) => offer));
  const left = new Map(trace.left.map(([offerKey, code, got, want]) => [offerKey, { code, got, want }]));
  const faulty: ExplainedOffer[] = [];
  const inOrder = computeApart(offers, tried, ({ offer: { offerKey, buyerKey: partnerKey } }, error) => {
    faulty.push({ offerKey, partnerKey, result: 'left_out', ...ruleFailed(error) });
  }).toSorted((one, other) => byTrial(one.offer, other.offer));
  const { suppressedBy } = trace;
  if (suppressedBy !== undefined) {
    return inOrder.map(({ offer: { offerKey, buyerKey: partnerKey } }) => ({
      ...{ offerKey, partnerKey, result: 'left_out', code: 'suppressed', got: { list: suppressedBy, of: null } },
    }));
  }
  const reasons = new Map(
    inOrder.map((indexed) => [indexed, left.get(indexed.offer.offerKey) ?? unwantedOrFailed(indexed, facts)] as const),
  );
  const winners = inOrder.filter(({ offer }) => sold.has(offer.offerKey));
  const explained = inOrder.map((indexed): ExplainedOffer => {
    const { offerKey, buyerKey } = indexed.offer;
    const base = { offerKey, partnerKey: buyerKey };
    if (sold.has(offerKey)) return { ...base, result: 'sold', code: 'sold' };
    const why = reasons.get(indexed) ?? { code: lostTo(indexed, winners) };
    const ownBest = inOrder.find((other) => other.offer.buyerKey === buyerKey && reasons.get(other) === null);
    return { ...base, result: 'left_out', ...valuesOf(why, indexed, { winners, ownBest, decidedAt }) };
  });
  return [...explained, ...faulty];
}

function unwantedOrFailed(indexed: IndexedOffer, facts: LeadFacts): LeftOut | null {
  try {
    return unwanted(indexed, facts);
  } catch (error) {
    return ruleFailed(error);
  }
}

/** The search ends with the winner, so a later offer has no stored reason: it lost to its own partner's offer or to another partner's. */
function lostTo({ offer }: IndexedOffer, winners: readonly IndexedOffer[]): 'better_offer_of_partner' | 'outranked' {
  const isOwn = winners.some(
    (winner) => winner.offer.buyerKey === offer.buyerKey && winner.offer.priority === offer.priority,
  );
  return isOwn ? 'better_offer_of_partner' : 'outranked';
}

type Rivals = {
  readonly winners: readonly IndexedOffer[];
  /** The offer with which the partner took part. */
  readonly ownBest: IndexedOffer | undefined;
  readonly decidedAt: Date;
};

/** Adds the values that follow from the configuration and are not stored. */
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

/** The values that offers are compared by. Offers that share a lead count with their sum; the smallest limit on buyers applies. */
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

/** The partner's local time, and the next opening of the offer. */
function clockOf(
  { offer, buyer }: IndexedOffer,
  decidedAt: Date,
): { readonly got: string; readonly want: string | null } {
  const at = decidedAt.getTime();
  const day = localDay(decidedAt, buyer.timeZone);
  const opening = nextOpening(offer.schedule, day, at);
  return { got: clockText(day, at), want: opening === null ? null : new Date(opening).toISOString() };
}
