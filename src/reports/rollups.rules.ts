// The roll-ups of reports, and which one answers a question (contract 12.1, decision 061).
import { Temporal } from '../base/temporal.ts';
import type { ColumnDimension, ReportDimension, TimeDimension } from './report.schema.ts';
import { timeDimensions } from './report.schema.ts';
import type { ReportSpan } from './report-span.rules.ts';

/** How long a cell is: an hour of UTC, or a day, about five days or a month of the time zone in which cells are kept. */
export const LEVELS = { hour: 0, day: 1, part: 2, month: 3 } as const;
export type Level = keyof typeof LEVELS;

export type Rollup = {
  /** Stored with the cells: never reused for other dimensions. */
  readonly number: number;
  readonly dimensions: readonly ColumnDimension[];
  readonly levels: readonly Level[];
};

const OFFER = ['offer', 'eventType', 'priceBand'] as const;

/**
 * From few cells to many: the first that has all dimensions of a question answers it. The numbers are sized for 20 suppliers with five sources
 * and 30 campaigns each, 40 partners with 100 offers, and 50 states: none has more than some 300,000 cells a year at the level that a
 * year is read from. Each costs about one change of a row per level and lead, so there are no more.
 */
export const ROLLUPS: readonly Rollup[] = [
  { number: 1, dimensions: ['supplier', 'source'], levels: ['hour', 'day'] },
  { number: 2, dimensions: ['partner', ...OFFER], levels: ['hour', 'day'] },
  { number: 3, dimensions: ['supplier', 'partner', 'eventType'], levels: ['day', 'month'] },
  { number: 4, dimensions: ['supplier', 'source', 'campaign'], levels: ['day', 'month'] },
  { number: 5, dimensions: ['supplier', 'state', 'scoreBand'], levels: ['day', 'part', 'month'] },
  { number: 6, dimensions: ['partner', ...OFFER, 'state'], levels: ['day', 'part', 'month'] },
  { number: 7, dimensions: ['supplier', 'source', 'partner', ...OFFER], levels: ['day', 'part', 'month'] },
  {
    number: 8,
    dimensions: ['supplier', 'source', 'campaign', 'partner', 'eventType'],
    levels: ['day', 'part', 'month'],
  },
];

/** Cells of one level whose slots are in from ≤ slot < until, as texts without a zone. */
export type CellRun = { readonly level: Level; readonly from: string; readonly until: string };

export type Plan =
  | { readonly kind: 'cells'; readonly rollup: number; readonly runs: readonly CellRun[]; readonly isLocal: boolean }
  /** No roll-up has these dimensions or these days: the facts themselves are read. */
  | { readonly kind: 'facts' };

export type PlanInput = {
  /** Dimensions of the rows and of the filters. */
  readonly used: readonly ReportDimension[];
  readonly span: ReportSpan;
  readonly timeZone: string;
  /** Whose days the cells have. */
  readonly cellZone: string;
};

export function planReport({ used, span, timeZone, cellZone }: PlanInput): Plan {
  const times = timeDimensions.filter((name) => used.includes(name));
  const columns = used.filter((name) => !timeDimensions.some((time) => time === name));
  const fitting = ROLLUPS.filter(({ dimensions }) => columns.every((name) => dimensions.some((one) => one === name)));
  if (timeZone === cellZone && !times.includes('hour')) {
    const [rollup] = fitting;
    if (rollup === undefined) return { kind: 'facts' };
    return { kind: 'cells', rollup: rollup.number, runs: dayRuns(span, levelsFor(times, rollup)), isLocal: true };
  }
  const byHour = fitting.find(({ levels }) => levels.includes('hour'));
  if (byHour === undefined || !hasWholeHours(span, timeZone)) return { kind: 'facts' };
  const text = (at: number): string => new Date(at).toISOString().replace('Z', '');
  const run = { level: 'hour', from: text(span.from), until: text(span.until) } as const;
  return { kind: 'cells', rollup: byHour.number, runs: [run], isLocal: false };
}

/** The longest first. Days are needed where weeks or weekdays are asked for: no other level fits into a week. */
function levelsFor(times: readonly TimeDimension[], { levels }: Rollup): Level[] {
  const isFine = times.some((name) => name !== 'month');
  return (['month', 'part', 'day'] as const).filter((level) => levels.includes(level) && (level === 'day' || !isFine));
}

/** Covers the days of a span by the longest cells that fit. */
function dayRuns({ firstDay, lastDay }: ReportSpan, levels: readonly Level[]): CellRun[] {
  const end = Temporal.PlainDate.from(lastDay).add({ days: 1 });
  const runs: CellRun[] = [];
  let at = Temporal.PlainDate.from(firstDay);
  while (Temporal.PlainDate.compare(at, end) < 0) {
    const start = at;
    const level = levels.find((one) => endOfCell(one, start, end) !== null) ?? 'day';
    at = endOfCell(level, start, end) ?? start.add({ days: 1 });
    const last = runs.at(-1);
    if (last?.level === level && last.until === start.toString())
      runs[runs.length - 1] = { ...last, until: at.toString() };
    else runs.push({ level, from: start.toString(), until: at.toString() });
  }
  return runs;
}

const PART_DAYS = 5;
/** The last part of a month has the rest of its days. */
const LAST_PART = 26;

/** The end of the cell that starts on a day; null if none of the level starts there or it reaches beyond `end`. */
function endOfCell(level: Level, start: Temporal.PlainDate, end: Temporal.PlainDate): Temporal.PlainDate | null {
  const after = nextStart(level, start);
  return after === null || Temporal.PlainDate.compare(after, end) > 0 ? null : after;
}

function nextStart(level: Level, start: Temporal.PlainDate): Temporal.PlainDate | null {
  const { day } = start;
  if (level === 'day') return start.add({ days: 1 });
  if (level === 'month') return day === 1 ? start.add({ months: 1 }) : null;
  if (day > LAST_PART || (day - 1) % PART_DAYS !== 0) return null;
  return day === LAST_PART ? start.with({ day: 1 }).add({ months: 1 }) : start.add({ days: PART_DAYS });
}

const HOUR_MINUTES = 60;
const NANOSECONDS_PER_MINUTE = 60e9;

/** Whether the zone is whole hours from UTC all the time. */
function hasWholeHours({ firstDay, lastDay, from, until }: ReportSpan, timeZone: string): boolean {
  const isWhole = (at: number): boolean => {
    const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
    return (zoned.offsetNanoseconds / NANOSECONDS_PER_MINUTE) % HOUR_MINUTES === 0;
  };
  if (!isWhole(from) || !isWhole(until)) return false;
  // An offset changes a few times a year: it is looked at once a week.
  for (
    let at = Temporal.PlainDate.from(firstDay);
    Temporal.PlainDate.compare(at, Temporal.PlainDate.from(lastDay)) < 0;
    at = at.add({ days: 7 })
  ) {
    if (!isWhole(at.toZonedDateTime({ timeZone }).epochMilliseconds)) return false;
  }
  return true;
}
