// Appointment slots of a booking offer: their start times, and the one that a lead gets (contract 4.8).
import type { LocalDay } from './local-day.rules.ts';
import type { Booking } from './offer.ts';
import { openSpans } from './open-hours.rules.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/**
 * The starts of all slots that can be booked at `now`, in order: whole slots within the availability, not sooner than the notice and not
 * later than the horizon. `day` is the day of the buyer's zone that contains `now`.
 */
export function slotStarts(booking: Booking, day: LocalDay, now: number): number[] {
  const first = now + booking.noticeMinutes * MINUTE_MS;
  const last = now + booking.horizonDays * DAY_MS;
  const length = booking.slotMinutes * MINUTE_MS;
  const starts: number[] = [];
  for (let at = day; at.from <= last; at = at.next()) {
    for (const { from, until } of openSpans(booking.availability, at)) {
      for (let start = from; start + length <= until && start <= last; start += length) {
        if (start >= first) starts.push(start);
      }
    }
  }
  return starts;
}

/** The requested slot if it is the start of a free one, else the first free one; null when none is free. */
export function freeSlot(
  starts: readonly number[],
  { requested, isFree }: { requested: number | null; isFree: (start: number) => boolean },
): number | null {
  if (requested !== null && starts.includes(requested) && isFree(requested)) return requested;
  return starts.find(isFree) ?? null;
}
