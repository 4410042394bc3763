// The days of a report on an offer, each with the price at its end and its sales. Pure.
import type { OfferPrices } from '../../../src/console/offers.schema.ts';
import type { Report } from '../../../src/reports/report.schema.ts';
import { dayIn, daysBefore } from '../../ui/days.ts';

export type PriceDay = { readonly day: string; readonly price: number; readonly sold: number };

/** `report` is by day, with the measure `deliveries`. Oldest first. */
export function priceDays(
  { priceBefore, changes }: OfferPrices,
  { from, until, timeZone, rows }: Pick<Report, 'from' | 'until' | 'timeZone' | 'rows'>,
): PriceDay[] {
  const sold = new Map(rows.map(({ keys, values }) => [keys[0], values['deliveries'] ?? 0]));
  const steps = changes.map(({ at, to }) => ({ day: dayIn(timeZone, new Date(at)), to }));
  const days: PriceDay[] = [];
  for (let day = from; day <= until; day = daysBefore(day, -1)) {
    const last = steps.find((step) => step.day <= day);
    days.push({ day, price: last?.to ?? priceBefore, sold: sold.get(day) ?? 0 });
  }
  return days;
}
