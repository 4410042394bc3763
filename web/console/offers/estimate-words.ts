// The texts of the estimate of an offer's leads. Pure.
import type { OfferEstimate } from '../../../src/console/offer-estimate.schema.ts';
import { count, formatMoney, formatNumber } from '../../ui/formats.ts';

type Estimate = OfferEstimate & { readonly price: number | null };

/** `About 38 leads a week match these filters. Without a buyer, or sold for less than $45.00: about 31.` */
export function estimateWords({ leads, weekly, price }: Estimate, currency: string): string {
  if (leads === 0) return 'There are no leads yet to estimate from.';
  const { matching, bought, winnable } = weekly;
  if (matching === 0) return 'None of the last leads match these filters.';
  const all =
    matching < 1.5
      ? `${matching < 0.5 ? 'Less than one lead' : 'About one lead'} a week matches`
      : `About ${formatNumber(Math.round(matching))} leads a week match`;
  const [own, others] = bought > 0 ? [`Sold to this offer: ${about(bought)}.`, ' to others'] : [];
  const open =
    price === null || winnable === null
      ? undefined
      : `Without a buyer, or sold${others ?? ''} for less than ${formatMoney(price, currency)}: ${about(winnable)}.`;
  return [`${all} these filters.`, own, open].filter((words) => words !== undefined).join(' ');
}

function about(leads: number): string {
  if (leads === 0) return 'none';
  return leads < 0.5 ? 'less than one' : `about ${formatNumber(Math.round(leads))}`;
}

/** `Estimated from the last 2,000 leads, of 5 days. Hours, caps, budgets and lists are not considered; a dry run does that.` */
export function sampleWords({ leads, days }: Pick<OfferEstimate, 'leads' | 'days'>): string {
  const sample =
    leads === 0 ? '' : `Estimated from the last ${count(leads, 'lead')}, of ${count(Math.round(days), 'day')}. `;
  return `${sample}Hours, caps, budgets and lists are not considered; a dry run does that.`;
}
