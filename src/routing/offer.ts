// The type of an offer in the form that routing uses: normalised, every member present (contract 4.2, 7.6).
import type { DeepReadonly } from '../base/json.ts';
import type { OfferForm, Weekday } from './offer.schema.ts';

type Form = DeepReadonly<OfferForm>;

export type EventType = Form['eventType'];
export type OfferStatus = Form['status'];

/** Minutes of the day in the buyer's zone, from ≤ t < to; 1440 is midnight at the end of the day. */
export type WeeklyHours = { readonly days: readonly Weekday[]; readonly fromMinute: number; readonly toMinute: number };

/** Bounds are inclusive; an empty list or null means any. */
export type OfferFilters = Omit<Form['filters'], 'debtAmount'> & {
  readonly debtAmountCents: Form['filters']['debtAmount'];
};

/** null = no limit, 0 = none at all. */
export type PerWindow = Form['caps'];

export type Booking = Omit<NonNullable<Form['booking']>, 'availability'> & {
  readonly availability: readonly WeeklyHours[];
};

/** Times are texts in definitions of the configuration history. */
export type RejectionsPause = { readonly since: Date; readonly until: Date };

/** The members of `offer.schema.ts`, with amounts in cents and hours in minutes of the day. */
export type Offer = Omit<
  Form,
  'key' | 'payout' | 'price' | 'priceMin' | 'sale' | 'filters' | 'schedule' | 'budget' | 'booking'
> & {
  readonly offerKey: string;
  readonly buyerKey: string;
  /** The most that the partner pays: ranking, funds, budgets and caps count on it. */
  readonly payoutCents: number;
  /** The lowest price that the partner's response may name; null where the price is fixed. */
  readonly priceMinCents: number | null;
  readonly sale: { readonly kind: 'exclusive' } | { readonly kind: 'shared'; readonly buyersAtMost: number };
  readonly filters: OfferFilters;
  /** null = always open. */
  readonly schedule: readonly WeeklyHours[] | null;
  readonly budgetCents: PerWindow;
  /** Present exactly for Calendar Assigned. */
  readonly booking: Booking | null;
  /** While it is paused because its partner rejected many leads of a day. Not part of the file. */
  readonly rejectionsPause: RejectionsPause | null;
  /** What the partner itself limits further. Not part of the file; `offerInForce` applies them. */
  readonly ownLimits: OwnLimits | null;
};

/** Limits by the partner, which only narrow what the operator configured. */
export type OwnLimits = {
  readonly caps: PerWindow;
  readonly budgetCents: PerWindow;
  /** States from which it takes no leads at present, sorted. */
  readonly statesNot: readonly string[];
};
