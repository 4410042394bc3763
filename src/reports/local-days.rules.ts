// Converts counts of UTC days into counts of days or months of another time zone: each period takes the UTC days that begin nearest to it,
// and what is counted between the two beginnings is moved to the neighbouring period.
import { Temporal } from '../base/temporal.ts';
import { DAY_MS, localDate, type Span, startOfUtcDay } from '../base/time.ts';

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

/** The periods that pages offer, by their names in requests. A chart of a year by days is unreadable, and costs twelve times as much. */
export const periodNames = ['today', 'yesterday', '7d', '30d', 'month', '90d', '12m'] as const;
export type PeriodName = (typeof periodNames)[number];

export type NamedPeriod = { readonly unit: Unit; readonly periods: readonly LocalPeriod[] };

/** The days of a named period, or its months. */
export function namedPeriod(name: PeriodName, when: { readonly now: Date; readonly timeZone: string }): NamedPeriod {
  const days = (count: number): NamedPeriod => ({ unit: 'day', periods: lastPeriods('day', count, when) });
  switch (name) {
    case 'today':
      return days(1);
    case 'yesterday':
      return { unit: 'day', periods: lastPeriods('day', 2, when).slice(0, 1) };
    case '7d':
      return days(7);
    case '90d':
      return days(90);
    case 'month':
      return days(Temporal.PlainDate.from(localDate(when.now, when.timeZone)).day);
    case '12m':
      return { unit: 'month', periods: lastPeriods('month', 12, when) };
    default:
      return days(30);
  }
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

/** Sums by name; a name that is missing counts as 0. */
export type Sums = Readonly<Record<string, number>>;

/**
 * Takes `utcDays` from the first edge's midnight to the last one's, and `parts` in the order of the edges, null for a part in which
 * nothing is counted. Returns the sums of each period, in their order, with at least the names of `nothing`.
 */
export function countsOfPeriods<Of extends Sums>(
  periods: readonly LocalPeriod[],
  utcDays: ReadonlyArray<{ readonly day: string; readonly sums: Of }>,
  { parts, nothing }: { readonly parts: ReadonlyArray<Of | null>; readonly nothing: Of },
): Of[] {
  const edges = edgesOf(periods);
  const counted: Of[] = periods.map(() => nothing);
  const add = (index: number, more: Of, sign: 1 | -1): void => {
    const known = counted[index];
    if (known !== undefined) counted[index] = plus(known, more, sign);
  };
  for (const { day, sums } of utcDays) {
    const start = startOfUtcDay(day)?.getTime() ?? 0;
    // The last period whose midnight is not after this day.
    add(
      edges.findLastIndex(({ midnight }) => midnight <= start),
      sums,
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
  return counted;
}

function plus<Of extends Sums>(sums: Of, more: Of, sign: 1 | -1): Of {
  const names = new Set([...Object.keys(sums), ...Object.keys(more)]);
  return Object.fromEntries([...names].map((name) => [name, (sums[name] ?? 0) + sign * (more[name] ?? 0)])) as Of;
}
