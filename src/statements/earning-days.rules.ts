// The days of a supplier's earnings in its time zone, with zeros for days on which nothing happened (contract 11.4).
import { Temporal } from '../base/temporal.ts';

type Sums = {
  readonly leads: number;
  readonly earnedCents: number;
  readonly clawedBackCents: number;
  readonly paidOutCents: number;
  readonly adjustedCents: number;
};

export type EarningDay = Sums & {
  /** `YYYY-MM-DD`. */
  readonly date: string;
};

export type EarningWindow = {
  /** First and last day, `YYYY-MM-DD`; the last is today. */
  readonly from: string;
  readonly until: string;
  /** One entry per day in order, and their sums. */
  readonly fill: (rows: readonly EarningDay[]) => { readonly days: readonly EarningDay[]; readonly totals: Sums };
};

const NOTHING: Sums = { leads: 0, earnedCents: 0, clawedBackCents: 0, paidOutCents: 0, adjustedCents: 0 };

/** The last `days` days of the time zone, today included. */
export function earningDays(days: number, timeZone: string, now: Date): EarningWindow {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const dates = Array.from({ length: days }, (_item, index) => today.subtract({ days: days - 1 - index }).toString());
  return {
    from: dates[0] ?? today.toString(),
    until: today.toString(),
    fill(rows) {
      const byDate = new Map(rows.map((row) => [row.date, row]));
      const filled = dates.map((date) => byDate.get(date) ?? { date, ...NOTHING });
      return { days: filled, totals: filled.reduce(add, NOTHING) };
    },
  };
}

function add(one: Sums, other: Sums): Sums {
  return {
    leads: one.leads + other.leads,
    earnedCents: one.earnedCents + other.earnedCents,
    clawedBackCents: one.clawedBackCents + other.clawedBackCents,
    paidOutCents: one.paidOutCents + other.paidOutCents,
    adjustedCents: one.adjustedCents + other.adjustedCents,
  };
}
