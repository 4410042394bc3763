// Converts an offer between the marketplace file's form and routing's form: amounts in cents, hours in minutes of the day (contract 7.6).
import { centsOf, wireAmount } from '../base/money.ts';
import { formOf } from '../marketplace/configured-form.rules.ts';
import { type HoursForm, type OfferForm, OfferSchema } from './offer.schema.ts';
import type { Offer, PerWindow, WeeklyHours } from './offer.ts';

/** Members in the order of the file, money as on the wire. Equal offers have forms with equal JSON text. */
export function offerForm({ offerKey, buyerKey: _owner, payoutCents, budgetCents, ...offer }: Offer): OfferForm {
  const { debtAmountCents, ...filters } = offer.filters;
  const { min, max } = debtAmountCents;
  return formOf(OfferSchema, {
    ...offer,
    key: offerKey,
    payout: wireAmount(payoutCents),
    sale: offer.sale.kind === 'exclusive' ? 'exclusive' : { sharedWith: offer.sale.buyersAtMost },
    filters: { ...filters, debtAmount: { min: amountOrNull(min), max: amountOrNull(max) } },
    schedule: offer.schedule?.map(hoursForm) ?? null,
    budget: perWindow(budgetCents, amountOrNull),
    booking: offer.booking && { ...offer.booking, availability: offer.booking.availability.map(hoursForm) },
  });
}

export function offerOfForm({ key, payout, budget, ...form }: OfferForm, buyerKey: string): Offer {
  const { debtAmount, ...filters } = form.filters;
  return {
    ...form,
    offerKey: key,
    buyerKey,
    payoutCents: centsOf(payout),
    sale: form.sale === 'exclusive' ? { kind: 'exclusive' } : { kind: 'shared', buyersAtMost: form.sale.sharedWith },
    filters: { ...filters, debtAmountCents: { min: centsOrNull(debtAmount.min), max: centsOrNull(debtAmount.max) } },
    schedule: form.schedule?.map(hoursOfForm) ?? null,
    budgetCents: perWindow(budget, centsOrNull),
    booking: form.booking && { ...form.booking, availability: form.booking.availability.map(hoursOfForm) },
  };
}

/** 480 → "08:00", 1440 → "24:00". */
export function clockTime(minuteOfDay: number): string {
  const hours = String(Math.floor(minuteOfDay / 60)).padStart(2, '0');
  return `${hours}:${String(minuteOfDay % 60).padStart(2, '0')}`;
}

/** "08:00" → 480. */
export function minuteOfClock(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function hoursForm({ days, fromMinute, toMinute }: WeeklyHours): HoursForm {
  return { days: [...days], from: clockTime(fromMinute), to: clockTime(toMinute) };
}

function hoursOfForm({ days, from, to }: HoursForm): WeeklyHours {
  return { days, fromMinute: minuteOfClock(from), toMinute: minuteOfClock(to) };
}

function perWindow({ daily, weekly, monthly }: PerWindow, show: (limit: number | null) => number | null): PerWindow {
  return { daily: show(daily), weekly: show(weekly), monthly: show(monthly) };
}

function amountOrNull(cents: number | null): number | null {
  return cents === null ? null : wireAmount(cents);
}

function centsOrNull(amount: number | null): number | null {
  return amount === null ? null : centsOf(amount);
}
