// The part of a decision's explanation that a partner may see: its own offers, without a value that tells of other partners, of
// suppliers or of how a lead is scored (contract 6.12; decision 005).
import type { LeftOutCode } from './eligibility.rules.ts';
import type { ExplainedOffer } from './trace.rules.ts';

export type PartnerExplanation = {
  readonly offerKey: string;
  readonly result: ExplainedOffer['result'];
  readonly code: ExplainedOffer['code'];
  /** The value found. Absent where there is none, and where it is not the partner's to know. */
  readonly got?: unknown;
  /** What it was compared with, in the same way. */
  readonly want?: unknown;
};

/** `own`: the partner's offers, its balance, its clocks, or what any buyer of the lead reads in a delivery. */
type Shown = { readonly got: 'own' | 'hidden'; readonly want: 'own' | 'hidden' };

const both: Shown = { got: 'own', want: 'own' };
const neither: Shown = { got: 'hidden', want: 'hidden' };

/** Complete, so that a new code is not shown before somebody has thought about it. */
const SHOWN: Readonly<Record<LeftOutCode | 'sold', Shown>> = {
  sold: neither,
  partner_not_active: both,
  offer_not_active: both,
  endpoint_disabled: both,
  endpoint_failing: both,
  channel_not_ready: both,
  state_not_wanted: both,
  state_excluded: both,
  debt_amount_missing: both,
  debt_amount_too_low: both,
  debt_amount_too_high: both,
  // No delivery shows the score.
  score_too_low: { got: 'hidden', want: 'own' },
  // Not the offer's own list either: one name on it would be the answer.
  supplier_not_wanted: neither,
  supplier_excluded: neither,
  // A label by which suppliers tell their campaigns apart; where a list excludes it, the list would name it.
  source_not_wanted: { got: 'hidden', want: 'own' },
  source_excluded: neither,
  consent_missing: both,
  email_missing: both,
  phone_missing: both,
  no_slot: both,
  outside_schedule: both,
  cap_reached: both,
  budget_reached: both,
  over_pace: both,
  funds_missing: both,
  // Whether it was sold to one or to several says something of the others.
  duplicate: neither,
  had_it_before: both,
  better_offer_of_partner: both,
  // By whom and for how much is the winner's affair.
  outranked: { got: 'own', want: 'hidden' },
};

/** `offers` as `explain` answers them; in the same order. */
export function explainToPartner(offers: readonly ExplainedOffer[], partnerKey: string): PartnerExplanation[] {
  return offers
    .filter((offer) => offer.partnerKey === partnerKey)
    .map(({ offerKey, result, code, got, want }) => {
      const shown = SHOWN[code];
      return {
        offerKey,
        result,
        code,
        ...(got === undefined || shown.got === 'hidden' ? {} : { got }),
        ...(want === undefined || shown.want === 'hidden' ? {} : { want }),
      };
    });
}
