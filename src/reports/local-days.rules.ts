// Converts counts of UTC days into counts of days or months of another time zone: each period takes the UTC days that begin nearest to it,
// and deliveries between the two beginnings are moved to the neighbouring period.
import { Temporal } from '../base/temporal.ts';
import { DAY_MS, type Span, startOfUtcDay } from '../base/time.ts';
import type { DayCounts } from './buyer-days.rules.ts';

/** `date` is the day, or the first day of the month, `YYYY-MM-DD`. */
export type LocalPeriod = Span & { readonly date: string };

/** The start of a period, and the UTC midnight from which its UTC days are counted, at most half a day away. */
export type Edge = { readonly at: number; readonly midnight: number };

export type Unit = 'day' | 'month';

/** The last `count` days or months of the zone, the present one included, oldest first, without gaps. */
export function lastPeriods(
  unit: Unit,
  count: number,
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): LocalPeriod[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const last = unit === 'day' ? today : today.with({ day: 1 });
  const step = (steps: number) => (unit === 'day' ? { days: steps } : { months: steps });
  const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime({ timeZone }).epochMilliseconds;
  return Array.from({ length: count }, (_, index) => {
    const date = last.subtract(step(count - 1 - index));
    return { date: date.toString(), from: startOf(date), until: startOf(date.add(step(1))) };
  });
}

/** The starts of all periods and the end of the last one. */
export function edgesOf(periods: readonly LocalPeriod[]): Edge[] {
  const end = periods.at(-1);
  const edges = periods.map(({ from }) => from);
  return (end === undefined ? edges : [...edges, end.until]).map((at) => ({
    at,
    midnight: Math.round(at / DAY_MS) * DAY_MS,
  }));
}

/** The span between an edge and its midnight, in either order; empty if they are the same. */
export function partOf({ at, midnight }: Edge): Span {
  return { from: Math.min(at, midnight), until: Math.max(at, midnight) };
}

type Amounts = Omit<DayCounts, 'day'>;

const NOTHING: Amounts = {
  ...{ confirmed: 0, pending: 0, failed: 0, returned: 0 },
  ...{ confirmedCents: 0, pendingCents: 0, returnedCents: 0, leadSales: 0, bookings: 0 },
};

/**
 * Takes `utcDays` from the first edge's midnight to the last one's, and `parts` in the order of the edges, null for a part without
 * deliveries. Returns one count per period, under its date.
 */
export function countsOfPeriods(
  periods: readonly LocalPeriod[],
  utcDays: readonly DayCounts[],
  parts: ReadonlyArray<Amounts | null>,
): DayCounts[] {
  const edges = edgesOf(periods);
  const sums: Amounts[] = periods.map(() => NOTHING);
  const add = (index: number, amounts: Amounts, sign: 1 | -1): void => {
    const sum = sums[index];
    if (sum !== undefined) sums[index] = plus(sum, amounts, sign);
  };
  for (const { day, ...amounts } of utcDays) {
    const start = startOfUtcDay(day)?.getTime() ?? 0;
    // The last period whose midnight is not after this day.
    add(
      edges.findLastIndex(({ midnight }) => midnight <= start),
      amounts,
      1,
    );
  }
  for (const [index, part] of parts.entries()) {
    const edge = edges[index];
    if (part === null || edge === undefined) continue;
    const isLate = edge.at > edge.midnight;
    add(index, part, isLate ? -1 : 1);
    add(index - 1, part, isLate ? 1 : -1);
  }
  return periods.map(({ date }, index) => ({ day: date, ...(sums[index] ?? NOTHING) }));
}

function plus(sum: Amounts, more: Amounts, sign: 1 | -1): Amounts {
  return Object.fromEntries(
    Object.entries(sum).map(([name, value]) => [name, value + sign * more[name as keyof Amounts]]),
  ) as Amounts;
}
