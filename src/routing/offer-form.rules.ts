// An offer in the words of the marketplace file: what differences and the export show (contract 7.6).
import { wireAmount } from '../base/money.ts';
import { capWindows } from '../base/time.ts';
import type { Offer, PerWindow, WeeklyHours } from './offer.ts';

/** Members in the order of the file; equal offers have forms that are equal as JSON text. Money as on the wire. */
export function offerForm(offer: Offer): Record<string, unknown> {
  const { sale, filters, booking } = offer;
  const { min, max } = filters.debtAmountCents;
  return {
    key: offer.offerKey,
    name: offer.name,
    eventType: offer.eventType,
    payout: wireAmount(offer.payoutCents),
    sale: sale.kind === 'exclusive' ? 'exclusive' : { sharedWith: sale.buyersAtMost },
    priority: offer.priority,
    weight: offer.weight,
    status: offer.status,
    filters: {
      states: filters.states,
      statesNot: filters.statesNot,
      debtAmount: { min: amountOrNull(min), max: amountOrNull(max) },
      minScore: filters.minScore,
      suppliers: filters.suppliers,
      suppliersNot: filters.suppliersNot,
      sources: filters.sources,
      sourcesNot: filters.sourcesNot,
      requireConsent: filters.requireConsent,
      requireEmail: filters.requireEmail,
      requirePhone: filters.requirePhone,
    },
    schedule: offer.schedule === null ? null : offer.schedule.map(hoursForm),
    caps: perWindow(offer.caps, (count) => count),
    budget: perWindow(offer.budgetCents, wireAmount),
    pacing: offer.pacing,
    booking:
      booking === null
        ? null
        : {
            availability: booking.availability.map(hoursForm),
            slotMinutes: booking.slotMinutes,
            capacity: booking.capacity,
            noticeMinutes: booking.noticeMinutes,
            horizonDays: booking.horizonDays,
          },
  };
}

/** 480 → "08:00", 1440 → "24:00". */
export function clockTime(minuteOfDay: number): string {
  const hours = String(Math.floor(minuteOfDay / 60)).padStart(2, '0');
  return `${hours}:${String(minuteOfDay % 60).padStart(2, '0')}`;
}

function hoursForm({ days, fromMinute, toMinute }: WeeklyHours): Record<string, unknown> {
  return { days, from: clockTime(fromMinute), to: clockTime(toMinute) };
}

function perWindow(limits: PerWindow, show: (limit: number) => number): Record<string, number | null> {
  return Object.fromEntries(
    capWindows.map((window) => {
      const limit = limits[window];
      return [window, limit === null ? null : show(limit)];
    }),
  );
}

function amountOrNull(cents: number | null): number | null {
  return cents === null ? null : wireAmount(cents);
}
