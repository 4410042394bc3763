// The stored form of a decision: who won and which offers the moment left out. What filters and standing left out is not stored
// but follows from the lead and from the configuration of the version that the decision names; it is worked out when asked for.
import type { Uuid } from '../base/ids.ts';
import type { Decision } from './decide-batch.rules.ts';
import type { LeftOut, LeftOutCode } from './eligibility.rules.ts';
import type { LeadFacts } from './lead-facts.ts';
import { type BookedOffer, byTrial, unwanted } from './offer-book.rules.ts';

export type StoredTrace = {
  readonly sold: ReadonlyArray<{ offer: string; delivery: Uuid; payoutCents: number }>;
  /** Offer key, code, then the value found and the value it was compared with. */
  readonly left: ReadonlyArray<readonly [string, LeftOutCode, unknown?, unknown?]>;
  /** Milliseconds; only where the lead is held. */
  readonly retryAt?: number;
};

export type ExplainedOffer = {
  readonly offerKey: string;
  readonly partnerKey: string;
  readonly result: 'sold' | 'left_out';
  readonly code: LeftOutCode | 'sold';
  readonly got?: unknown;
  readonly want?: unknown;
};

type Sold = { readonly winner: BookedOffer; readonly deliveryId: Uuid };

export function writeTrace({ choice, retryAt }: Decision, sold: readonly Sold[]): string {
  const trace: StoredTrace = {
    sold: sold.map(({ winner, deliveryId }) => ({
      offer: winner.offer.offerKey,
      delivery: deliveryId,
      payoutCents: winner.offer.payoutCents,
    })),
    left: choice.leftOut.map(({ booked, why }) =>
      why.got === undefined && why.want === undefined
        ? [booked.offer.offerKey, why.code]
        : [booked.offer.offerKey, why.code, why.got, why.want],
    ),
    ...(retryAt === null ? {} : { retryAt }),
  };
  return JSON.stringify(trace);
}

/**
 * One line per offer of the day, in the order of trial: sold, or the first rule that left it out with the values compared.
 * `offers` are all offers as the decision's configuration had them.
 */
export function explain(trace: StoredTrace, facts: LeadFacts, offers: readonly BookedOffer[]): ExplainedOffer[] {
  const sold = new Set(trace.sold.map(({ offer }) => offer));
  const left = new Map(trace.left.map(([offerKey, code, got, want]) => [offerKey, { code, got, want }]));
  return offers
    .toSorted((one, other) => byTrial(one.offer, other.offer))
    .map((booked) => {
      const { offerKey, buyerKey } = booked.offer;
      const base = { offerKey, partnerKey: buyerKey };
      if (sold.has(offerKey)) return { ...base, result: 'sold', code: 'sold' };
      const why: LeftOut = left.get(offerKey) ?? unwanted(booked, facts) ?? { code: 'outranked' };
      return { ...base, result: 'left_out', ...compact(why) };
    });
}

function compact({ code, got, want }: LeftOut): LeftOut {
  return { code, ...(got === undefined ? {} : { got }), ...(want === undefined ? {} : { want }) };
}
