// The part of a decision's explanation that a partner may see: its own offers, without values that reveal other partners, suppliers or
// how a lead is scored (contract 6.12; decision 005).
import type { FoundOwn } from '../leads/own-filters.rules.ts';
import type { LeftOutCode } from './eligibility.rules.ts';
import type { ExplainedOffer } from './trace.rules.ts';

export type PartnerExplanation = {
  readonly offerKey: string;
  readonly result: ExplainedOffer['result'];
  readonly code: ExplainedOffer['code'];
  /** The value found. Absent where there is none or where it is hidden from partners. */
  readonly got?: unknown;
  /** The value that it was compared with; absent for the same reasons. */
  readonly want?: unknown;
};

/** `own`: from the partner's offers, balance or clock, or visible to every buyer of the lead in its delivery. */
type Shown = { readonly got: 'own' | 'hidden'; readonly want: 'own' | 'hidden' };

const both: Shown = { got: 'own', want: 'own' };
const neither: Shown = { got: 'hidden', want: 'hidden' };

/** Complete by its type, so that each new code needs a decision on what to show. */
const SHOWN: Readonly<Record<LeftOutCode | 'sold', Shown>> = {
  sold: neither,
  partner_not_active: both,
  offer_not_active: both,
  endpoint_disabled: both,
  paused_by_partner: both,
  funds_paused: both,
  rejections_paused: both,
  endpoint_failing: both,
  channel_not_ready: both,
  // The operator's to mend.
  rule_failed: neither,
  // Which verticals there are besides its own is none of a partner's business.
  vertical_not_wanted: { got: 'hidden', want: 'own' },
  state_not_wanted: both,
  state_excluded: both,
  debt_amount_missing: both,
  debt_amount_too_low: both,
  debt_amount_too_high: both,
  // No delivery shows the score.
  score_too_low: { got: 'hidden', want: 'own' },
  // The offer's own list is hidden as well: with one name on it, it would reveal the supplier.
  supplier_not_wanted: neither,
  supplier_excluded: neither,
  // Sources are suppliers' labels for their campaigns; an exclusion list would name them.
  source_not_wanted: { got: 'hidden', want: 'own' },
  source_excluded: neither,
  consent_missing: both,
  email_missing: both,
  phone_missing: both,
  // `got` without the value of a field that buyers do not get.
  field_missing: both,
  field_not_wanted: both,
  field_excluded: both,
  field_too_low: both,
  field_too_high: both,
  no_slot: both,
  outside_schedule: both,
  cap_reached: both,
  budget_reached: both,
  over_pace: both,
  funds_missing: both,
  // Exclusive or shared: either reveals something about other partners.
  duplicate: neither,
  suppressed: neither,
  // A list of its own is shown below; that the operator has one about it is not.
  on_exclusion_list: neither,
  had_it_before: both,
  better_offer_of_partner: both,
  // The winner and its price are hidden.
  outranked: { got: 'own', want: 'hidden' },
};

/** Takes the result of `explain` and keeps its order. */
export function explainToPartner(offers: readonly ExplainedOffer[], partnerKey: string): PartnerExplanation[] {
  return offers
    .filter((offer) => offer.partnerKey === partnerKey)
    .map(({ offerKey, result, code, got, want }) => {
      const shown = code === 'on_exclusion_list' && isOwnList(got, partnerKey) ? both : SHOWN[code];
      return {
        offerKey,
        result,
        code,
        ...(got === undefined || shown.got === 'hidden' ? {} : { got: withoutHidden(got) }),
        ...(want === undefined || shown.want === 'hidden' ? {} : { want }),
      };
    });
}

/** An own field that is not delivered: its name is in the partner's own filter, its value is not the partner's to know. */
function withoutHidden(got: unknown): unknown {
  if (typeof got !== 'object' || got === null || !('hidden' in got)) return got;
  const { value: _value, hidden: _hidden, ...rest } = got as FoundOwn;
  return rest;
}

function isOwnList(got: unknown, partnerKey: string): boolean {
  return typeof got === 'object' && got !== null && 'of' in got && got.of === partnerKey;
}
