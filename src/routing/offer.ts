// What a buyer buys: an offer as the marketplace file states it (contract 4.2, 7.6), normalised, every member present.
import type { CapWindow } from '../base/time.ts';

export type EventType = 'Lead Sale' | 'Calendar Assigned';
export const eventTypes: readonly EventType[] = ['Lead Sale', 'Calendar Assigned'];

export type OfferStatus = 'active' | 'paused' | 'closed';
export const offerStatuses: readonly OfferStatus[] = ['active', 'paused', 'closed'];

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';
export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Minutes of the day in the buyer's zone, from ≤ t < to; 1440 is midnight at the end of the day. */
export type WeeklyHours = { readonly days: readonly Weekday[]; readonly fromMinute: number; readonly toMinute: number };

/** Bounds are inclusive; an empty list or null means any. */
export type OfferFilters = {
  readonly states: readonly string[];
  readonly statesNot: readonly string[];
  readonly debtAmountCents: { readonly min: number | null; readonly max: number | null };
  readonly minScore: number | null;
  readonly suppliers: readonly string[];
  readonly suppliersNot: readonly string[];
  readonly sources: readonly string[];
  readonly sourcesNot: readonly string[];
  readonly requireConsent: boolean;
  readonly requireEmail: boolean;
  readonly requirePhone: boolean;
};

/** null = no limit, 0 = none at all. */
export type PerWindow = Readonly<Record<CapWindow, number | null>>;

export type Booking = {
  readonly availability: readonly WeeklyHours[];
  readonly slotMinutes: number;
  readonly capacity: number;
  readonly noticeMinutes: number;
  readonly horizonDays: number;
};

export type Offer = {
  readonly offerKey: string;
  readonly buyerKey: string;
  readonly name: string;
  readonly eventType: EventType;
  readonly payoutCents: number;
  readonly sale: { readonly kind: 'exclusive' } | { readonly kind: 'shared'; readonly buyersAtMost: number };
  /** The lowest number is tried first. */
  readonly priority: number;
  readonly weight: number;
  readonly status: OfferStatus;
  readonly filters: OfferFilters;
  /** null = always open. */
  readonly schedule: readonly WeeklyHours[] | null;
  readonly caps: PerWindow;
  readonly budgetCents: PerWindow;
  readonly pacing: 'asap' | 'even';
  /** Present exactly for Calendar Assigned. */
  readonly booking: Booking | null;
};
