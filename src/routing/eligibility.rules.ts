// Checks a lead against the filters of an offer, in the order in which a rejection is explained (contract 4.3).
import { errorKind } from '../base/apart.ts';
import { failedOwnFilter, type OwnFilterCode } from '../leads/own-filters.rules.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { Offer, OfferFilters } from './offer.ts';

/** A rule that left an offer out, with the two values it compared. */
export type LeftOut = { readonly code: LeftOutCode; readonly got?: unknown; readonly want?: unknown };

export type FilterCode =
  | OwnFilterCode
  | 'vertical_not_wanted'
  | 'state_not_wanted'
  | 'state_excluded'
  | 'debt_amount_missing'
  | 'debt_amount_too_low'
  | 'debt_amount_too_high'
  | 'score_too_low'
  | 'supplier_not_wanted'
  | 'supplier_excluded'
  | 'source_not_wanted'
  | 'source_excluded'
  | 'consent_missing'
  | 'email_missing'
  | 'phone_missing';

export type LeftOutCode =
  | FilterCode
  | 'partner_not_active'
  | 'offer_not_active'
  | 'endpoint_disabled'
  | 'paused_by_partner'
  | 'funds_paused'
  | 'rejections_paused'
  | 'endpoint_failing'
  | 'channel_not_ready'
  | 'rule_failed'
  | 'no_slot'
  | 'outside_schedule'
  | 'cap_reached'
  | 'budget_reached'
  | 'over_pace'
  | 'funds_missing'
  | 'suppressed'
  | 'on_exclusion_list'
  | 'duplicate'
  | 'had_it_before'
  | 'better_offer_of_partner'
  | 'outranked';

/** A value of the offer or its partner could not be used. Without the error's message, which may quote the lead. */
export function ruleFailed(error: unknown): LeftOut {
  return { code: 'rule_failed', got: errorKind(error) };
}

type Wanted = Pick<Offer, 'vertical' | 'filters'>;

/** The first filter that the lead fails; null when it passes all. */
export function failedFilter({ vertical, filters }: Wanted, facts: LeadFacts): LeftOut | null {
  if (vertical !== facts.vertical) return { code: 'vertical_not_wanted', got: facts.vertical, want: vertical };
  return failedLocation(filters, facts) ?? failedOtherFilter(filters, facts);
}

/** The same for an offer whose vertical and state filters are known to admit the lead. */
export function failedOtherFilter(filters: OfferFilters, facts: LeadFacts): LeftOut | null {
  return (
    failedAmount(filters, facts) ??
    failedOrigin(filters, facts) ??
    failedContact(filters, facts) ??
    failedOwnFilter(filters.fields, facts.own)
  );
}

/** Whether the state filters admit a lead from this state. */
export function admitsState({ states, statesNot }: OfferFilters, state: string | null): boolean {
  if (states.length > 0 && (state === null || !states.includes(state))) return false;
  return state === null || !statesNot.includes(state);
}

function failedLocation({ states, statesNot }: OfferFilters, { state }: LeadFacts): LeftOut | null {
  if (states.length > 0 && (state === null || !states.includes(state))) {
    return { code: 'state_not_wanted', got: state, want: states };
  }
  if (state !== null && statesNot.includes(state)) return { code: 'state_excluded', got: state, want: statesNot };
  return null;
}

function failedAmount({ debtAmountCents, minScore }: OfferFilters, facts: LeadFacts): LeftOut | null {
  const { min, max } = debtAmountCents;
  const amount = facts.debtAmountCents;
  if (amount === null) {
    if (min !== null || max !== null) return { code: 'debt_amount_missing', got: null, want: { min, max } };
  } else {
    if (min !== null && amount < min) return { code: 'debt_amount_too_low', got: amount, want: min };
    if (max !== null && amount > max) return { code: 'debt_amount_too_high', got: amount, want: max };
  }
  if (minScore !== null && facts.score < minScore) return { code: 'score_too_low', got: facts.score, want: minScore };
  return null;
}

function failedOrigin(filters: OfferFilters, { supplierKey, source }: LeadFacts): LeftOut | null {
  const { suppliers, suppliersNot, sources, sourcesNot } = filters;
  if (suppliers.length > 0 && !suppliers.includes(supplierKey)) {
    return { code: 'supplier_not_wanted', got: supplierKey, want: suppliers };
  }
  if (suppliersNot.includes(supplierKey)) return { code: 'supplier_excluded', got: supplierKey, want: suppliersNot };
  if (sources.length > 0 && (source === null || !sources.includes(source))) {
    return { code: 'source_not_wanted', got: source, want: sources };
  }
  if (source !== null && sourcesNot.includes(source)) return { code: 'source_excluded', got: source, want: sourcesNot };
  return null;
}

function failedContact(filters: OfferFilters, facts: LeadFacts): LeftOut | null {
  if (filters.requireConsent && !facts.tcpaConsent) return { code: 'consent_missing', got: false, want: true };
  if (filters.requireEmail && !facts.hasEmail) return { code: 'email_missing', got: false, want: true };
  if (filters.requirePhone && !facts.hasPhone) return { code: 'phone_missing', got: false, want: true };
  return null;
}
