// Scales the recent leads that an offer's filters match to a week: how many there are, and how many of them the offer could get.
import { DAY_MS } from '../base/time.ts';
import { failedFilter } from '../routing/eligibility.rules.ts';
import type { LeadFacts } from '../routing/lead-facts.ts';
import type { Offer } from '../routing/offer.ts';

/** The filters of an offer in a form, which need not exist yet. */
export type EstimatedOffer = Pick<Offer, 'vertical' | 'filters'> & {
  /** Null for a new offer. */
  readonly offerKey: string | null;
  /** Null while the form has no price. */
  readonly payoutCents: number | null;
};

export type SampledLead = {
  readonly isWithoutBuyer: boolean;
  /** Without failed ones. */
  readonly sales: ReadonlyArray<{ readonly offerKey: string; readonly payoutCents: number }>;
};

/** Leads a week, of which those after `matching` are parts. */
export type WeeklyLeads = {
  readonly matching: number;
  /** Sold to the offer itself. */
  readonly bought: number;
  /** Without a buyer, or sold to other offers for less than the price in all; null without a price. */
  readonly winnable: number | null;
};

const WEEK_DAYS = 7;
const MOST_DAYS = 28;

/**
 * The days up to now that the latest leads stand for. If there are no earlier ones, a marketplace of a few days is not scaled up; a sample of
 * less than a day counts as one.
 */
export function sampledDays(oldest: Date, now: Date, { isAll }: { readonly isAll: boolean }): number {
  const days = (now.getTime() - oldest.getTime()) / DAY_MS;
  return Math.min(MOST_DAYS, Math.max(isAll ? WEEK_DAYS : 1, days));
}

export function isMatch({ vertical, filters }: EstimatedOffer, facts: LeadFacts): boolean {
  return failedFilter({ vertical, filters }, facts) === null;
}

/** `matching` are the leads of these days that the filters match. */
export function weeklyLeads(matching: readonly SampledLead[], offer: EstimatedOffer, days: number): WeeklyLeads {
  const { offerKey, payoutCents } = offer;
  const isBought = ({ sales }: SampledLead): boolean => sales.some((sale) => sale.offerKey === offerKey);
  const isWinnable = (lead: SampledLead, price: number): boolean => {
    if (lead.sales.length === 0) return lead.isWithoutBuyer;
    return !isBought(lead) && lead.sales.reduce((sum, sale) => sum + sale.payoutCents, 0) < price;
  };
  const weekly = (leads: number): number => (leads * WEEK_DAYS) / days;
  return {
    matching: weekly(matching.length),
    bought: weekly(matching.filter(isBought).length),
    winnable: payoutCents === null ? null : weekly(matching.filter((lead) => isWinnable(lead, payoutCents)).length),
  };
}
