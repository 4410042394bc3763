// Converts an offer between the marketplace file's form and routing's form: amounts in cents, hours in minutes of the day (contract 7.6).
import { centsOf, wireAmount } from '../base/money.ts';
import type { FieldFilter } from '../leads/own-filters.rules.ts';
import { formOf } from '../marketplace/configured-form.rules.ts';
import { normalBound } from '../marketplace/vertical-form.rules.ts';
import { type HoursForm, type OfferForm, OfferSchema } from './offer.schema.ts';
import type { Offer, OfferFilters, PerWindow, WeeklyHours } from './offer.ts';

/** Members in the order of the file, money as on the wire. Equal offers have forms with equal JSON text. */
export function offerForm({
  offerKey,
  buyerKey: _owner,
  payoutCents,
  priceMinCents,
  budgetCents,
  ...offer
}: Offer): OfferForm {
  const { debtAmountCents, ...filters } = offer.filters;
  const { min, max } = debtAmountCents;
  return formOf(OfferSchema, {
    ...offer,
    key: offerKey,
    payout: wireAmount(payoutCents),
    price: priceMinCents === null ? 'fixed' : 'answered',
    priceMin: amountOrNull(priceMinCents),
    sale: offer.sale.kind === 'exclusive' ? 'exclusive' : { sharedWith: offer.sale.buyersAtMost },
    filters: {
      ...filters,
      debtAmount: { min: amountOrNull(min), max: amountOrNull(max) },
      fields: orderedFilters(filters.fields),
    },
    schedule: offer.schedule?.map(hoursForm) ?? null,
    budget: perWindow(budgetCents, amountOrNull),
    booking: offer.booking && { ...offer.booking, availability: offer.booking.availability.map(hoursForm) },
  });
}

export function offerOfForm({ key, payout, price, priceMin, budget, ...form }: OfferForm, buyerKey: string): Offer {
  return {
    ...form,
    offerKey: key,
    buyerKey,
    payoutCents: centsOf(payout),
    priceMinCents: price === 'answered' ? centsOrNull(priceMin) : null,
    sale: form.sale === 'exclusive' ? { kind: 'exclusive' } : { kind: 'shared', buyersAtMost: form.sale.sharedWith },
    filters: filtersOfForm(form.filters),
    schedule: form.schedule?.map(hoursOfForm) ?? null,
    budgetCents: perWindow(budget, centsOrNull),
    booking: form.booking && { ...form.booking, availability: form.booking.availability.map(hoursOfForm) },
    rejectionsPause: null,
    ownLimits: null,
  };
}

export function filtersOfForm({ debtAmount, ...filters }: OfferForm['filters']): OfferFilters {
  return {
    ...filters,
    debtAmountCents: { min: centsOrNull(debtAmount.min), max: centsOrNull(debtAmount.max) },
    fields: orderedFilters(filters.fields),
  };
}

/** What an offer that was stored by an earlier release lacks. */
type StoredOffer = Omit<
  Offer,
  'vertical' | 'priceMinCents' | 'filters' | 'rejections' | 'rejectionsPause' | 'ownLimits'
> & {
  readonly vertical?: Offer['vertical'];
  readonly priceMinCents?: Offer['priceMinCents'];
  readonly rejections?: Offer['rejections'];
  readonly rejectionsPause?: Offer['rejectionsPause'];
  readonly ownLimits?: Offer['ownLimits'];
  readonly filters: Omit<Offer['filters'], 'fields'> & { readonly fields?: Offer['filters']['fields'] };
};

/** A stored definition with the members that came later; `jsonb` has its own order of members. */
export function offerOfDefinition({
  vertical = null,
  priceMinCents = null,
  rejections = { pauseAbove: null, responses: null },
  rejectionsPause = null,
  ownLimits = null,
  filters,
  ...definition
}: StoredOffer): Offer {
  return {
    ...definition,
    vertical,
    priceMinCents,
    rejections: { pauseAbove: rejections.pauseAbove, responses: rejections.responses },
    rejectionsPause,
    ownLimits,
    filters: { ...filters, fields: orderedFilters(filters.fields ?? {}) },
  };
}

type OwnFilterValue = NonNullable<FieldFilter['min']>;

/** In the order of names, lists and members, without empty ones, so that equal filters are equal as JSON text. */
function orderedFilters(filters: Readonly<Record<string, FieldFilter>>): OfferForm['filters']['fields'] {
  return Object.fromEntries(
    Object.entries(filters)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, filter]) => {
        const ordered = orderedFilter(filter);
        return Object.keys(ordered).length === 0 ? [] : [[name, ordered]];
      }),
  );
}

function orderedFilter({ in: wanted, notIn, min, max, is }: FieldFilter): OfferForm['filters']['fields'][string] {
  return {
    ...(isSet(wanted) && wanted.length > 0 ? { in: orderedValues(wanted) } : {}),
    ...(isSet(notIn) && notIn.length > 0 ? { notIn: orderedValues(notIn) } : {}),
    ...(isSet(min) ? { min: normalBound(min) } : {}),
    ...(isSet(max) ? { max: normalBound(max) } : {}),
    ...(isSet(is) ? { is } : {}),
  };
}

/** A file may write null for any. */
function isSet<Value>(value: Value | undefined): value is NonNullable<Value> {
  return value !== undefined && value !== null;
}

function orderedValues(values: readonly OwnFilterValue[]): OwnFilterValue[] {
  return values
    .map((value) => (typeof value === 'string' ? value.trim() : value + 0))
    .toSorted((one, other) =>
      typeof one === 'number' && typeof other === 'number' ? one - other : String(one) < String(other) ? -1 : 1,
    );
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
