// Sums up a buyer's daily counts: every day of the window, totals, revenue and deliveries by event type (contract 6.5).
import { wireAmount } from '../base/money.ts';
import { DAY_MS, utcDay } from '../base/time.ts';
import type { EventType } from '../routing/offer.ts';

/** The deliveries of one UTC day by their present status. */
export type DayCounts = {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly confirmed: number;
  readonly pending: number;
  readonly failed: number;
  readonly returned: number;
  readonly confirmedCents: number;
  readonly pendingCents: number;
  readonly returnedCents: number;
  readonly leadSales: number;
  readonly bookings: number;
};

/** The deliveries in a span of time by their present status. */
export type SpanCounts = Pick<
  DayCounts,
  'confirmed' | 'pending' | 'failed' | 'returned' | 'confirmedCents' | 'pendingCents'
>;

type Counts = {
  /** confirmed + pending + failed + returned, always. */
  readonly deliveries: number;
  readonly confirmed: number;
  readonly pending: number;
  readonly failed: number;
  readonly returned: number;
};

export type BuyerDays = {
  readonly totals: Counts;
  /** Amounts as on the wire. */
  readonly revenue: { readonly confirmed: number; readonly pending: number; readonly returned: number };
  readonly byEventType: Readonly<Record<EventType, number>>;
  /** Oldest first, every day of the window; revenue is the confirmed one. */
  readonly byDay: ReadonlyArray<{ readonly date: string } & Counts & { readonly revenue: number }>;
};

/** The last `days` UTC days, today included, oldest first. */
export function windowDays(days: number, now: Date): readonly string[] {
  return Array.from({ length: days }, (_, index) => utcDay(new Date(now.getTime() - (days - 1 - index) * DAY_MS)));
}

/** `counts` has at most one entry per day, in any order, and only days of the window. */
export function buyerDays(window: readonly string[], counts: readonly DayCounts[]): BuyerDays {
  const known = new Map(counts.map((count) => [count.day, count]));
  const sum = (name: Exclude<keyof DayCounts, 'day'>): number =>
    counts.reduce((total, count) => total + count[name], 0);
  return {
    totals: countsOf({
      confirmed: sum('confirmed'),
      pending: sum('pending'),
      failed: sum('failed'),
      returned: sum('returned'),
    }),
    revenue: {
      confirmed: wireAmount(sum('confirmedCents')),
      pending: wireAmount(sum('pendingCents')),
      returned: wireAmount(sum('returnedCents')),
    },
    byEventType: { 'Lead Sale': sum('leadSales'), 'Calendar Assigned': sum('bookings') },
    byDay: window.map((date) => {
      const count = known.get(date);
      return count === undefined
        ? { date, ...NOTHING, revenue: 0 }
        : { date, ...countsOf(count), revenue: wireAmount(count.confirmedCents) };
    }),
  };
}

function countsOf({ confirmed, pending, failed, returned }: Omit<Counts, 'deliveries'>): Counts {
  return { deliveries: confirmed + pending + failed + returned, confirmed, pending, failed, returned };
}

const NOTHING = countsOf({ confirmed: 0, pending: 0, failed: 0, returned: 0 });
