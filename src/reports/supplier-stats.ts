// Reads a supplier's statistics of the last UTC days (contract 3.9), and its overview by days of its own time zone, from exact daily counts.
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { publicStatuses } from '../leads/stored-lead.ts';
import {
  countsOfPeriods,
  type Edge,
  edgesOf,
  type NamedPeriod,
  partOf,
  type Sums,
  type Unit,
} from './local-days.rules.ts';
import { type DayCount, supplierOverview, type OverviewFigures } from './supplier-overview.rules.ts';
import {
  countsByDay,
  countsByStatus,
  countsOfParts,
  lackingByField,
  refusalsByReason,
  refusalsOfParts,
  scoresByTen,
  scoresOfParts,
} from './supplier-stats.sql.ts';
import { type StatusCount, supplierTotals, type SupplierTotals } from './supplier-totals.rules.ts';

export type SupplierOverview = OverviewFigures & {
  readonly unit: Unit;
  /** First and last day of the zone, or first days of the first and last month, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly supplierKey: string;
  /** From the latest submissions only, independent of the window. */
  readonly lacking: {
    /** The maximum number of submissions examined. */
    readonly latest: number;
    readonly unsold: number;
    readonly sold: number;
    readonly fields: Array<{
      readonly field: string;
      readonly lackingUnsold: number;
      readonly lackingSold: number;
    }>;
  };
};

/** Missing fields have no counts, so they are read from leads; this many show what is usual. */
const LATEST = 1000;

/**
 * By days or months of the supplier's zone: from the counts of UTC days, and from single leads for the parts of days by which the zone
 * differs (decision 032). Consistent if `tx` is a snapshot.
 */
export async function readSupplierOverview(
  tx: Tx,
  supplierKey: string,
  { unit, periods }: NamedPeriod,
): Promise<SupplierOverview> {
  const window = periods.map(({ date }) => date);
  const [from = '', to = ''] = [window[0], window.at(-1)];
  const edges = edgesOf(periods);
  const byDay = await readCounts(tx, { supplierKey, periods, edges });
  const scores = await readScores(tx, { supplierKey, edges });
  const refusals = await readRefusals(tx, { supplierKey, edges });
  const lacking = await tx.query(lackingByField, { supplierKey, limit: LATEST });
  return {
    ...{ unit, from, to, supplierKey },
    ...supplierOverview({ window, byDay, scores, refusals }),
    lacking: {
      latest: LATEST,
      unsold: lacking[0]?.unsold ?? 0,
      sold: lacking[0]?.sold ?? 0,
      fields: lacking.map(({ field, lackingUnsold, lackingSold }) => ({ field, lackingUnsold, lackingSold })),
    },
  };
}

type Window = { readonly supplierKey: string; readonly edges: readonly Edge[] };

async function readCounts(
  tx: Tx,
  { supplierKey, edges, periods }: Window & Pick<NamedPeriod, 'periods'>,
): Promise<DayCount[]> {
  const rows = await tx.query(countsByDay, utcDaysOf({ supplierKey, edges }));
  const utcDays = [...Map.groupBy(rows, ({ day }) => day)].map(([day, counts]) => ({ day, sums: sumsOf(counts) }));
  const parts = partsOf(edges);
  const moved = parts === null ? [] : await tx.query(countsOfParts, { supplierKey, ...parts });
  const inPart = Map.groupBy(moved, ({ place }) => place);
  const counted = countsOfPeriods<Sums>(periods, utcDays, {
    parts: edges.map((_, index) => sumsOf(inPart.get(index + 1) ?? [])),
    nothing: {},
  });
  return counted.flatMap((sums, index) =>
    countsOf(sums).map((count) => ({ day: periods[index]?.date ?? '', ...count })),
  );
}

/** The sums of one day or part under names of their own, to be added up with others. */
function sumsOf(counts: readonly StatusCount[]): Sums {
  return Object.fromEntries(
    counts.flatMap(({ publicStatus, leads, scored, scoreSum }) => [
      [`${publicStatus}.leads`, leads],
      [`${publicStatus}.scored`, scored],
      [`${publicStatus}.scoreSum`, scoreSum],
    ]),
  );
}

function countsOf(sums: Sums): StatusCount[] {
  return publicStatuses.flatMap((publicStatus) => {
    const [leads = 0, scored = 0, scoreSum = 0] = ['leads', 'scored', 'scoreSum'].map(
      (name) => sums[`${publicStatus}.${name}`],
    );
    return leads === 0 ? [] : [{ publicStatus, leads, scored, scoreSum }];
  });
}

/** In the order of the tens. */
async function readScores(tx: Tx, { supplierKey, edges }: Window): Promise<number[]> {
  const rows = await tx.query(scoresByTen, utcDaysOf({ supplierKey, edges }));
  const ends = endsOf(edges);
  const parts = partsOf(ends);
  const moved = parts === null ? [] : await tx.query(scoresOfParts, { supplierKey, ...parts });
  return rows.map(({ place: ten, leads }) =>
    moved.filter((row) => row.ten === ten).reduce((sum, row) => sum + signOf(ends, row.place) * row.leads, leads),
  );
}

async function readRefusals(tx: Tx, { supplierKey, edges }: Window): Promise<Array<{ reason: string; leads: number }>> {
  const rows = await tx.query(refusalsByReason, utcDaysOf({ supplierKey, edges }));
  const ends = endsOf(edges);
  const parts = partsOf(ends);
  const moved = parts === null ? [] : await tx.query(refusalsOfParts, { supplierKey, ...parts });
  const sums = new Map(rows.map(({ reason, leads }) => [reason, leads]));
  for (const { place, reason, leads } of moved) sums.set(reason, (sums.get(reason) ?? 0) + signOf(ends, place) * leads);
  return [...sums].map(([reason, leads]) => ({ reason, leads }));
}

function utcDaysOf({ supplierKey, edges }: Window) {
  const [first = 0, last = 0] = [edges[0]?.midnight, edges.at(-1)?.midnight];
  return { supplierKey, firstDay: utcDay(new Date(first)), lastDay: utcDay(new Date(last - DAY_MS)) };
}

/** Null for a zone on UTC, which needs no correction. */
function partsOf(edges: readonly Edge[]): { readonly startsTimes: Date[]; readonly endsTimes: Date[] } | null {
  const spans = edges.map(partOf);
  if (spans.every(({ from, until }) => from === until)) return null;
  return {
    startsTimes: spans.map(({ from }) => new Date(from)),
    endsTimes: spans.map(({ until }) => new Date(until)),
  };
}

/** The start of the first period and the end of the last: sums of the whole window change at these only. */
function endsOf(edges: readonly Edge[]): readonly Edge[] {
  return [edges[0], edges.at(-1)].filter((edge) => edge !== undefined);
}

/** Whether the leads of a part at the start (`place` 1) or the end of the window are added to its UTC days, or taken away. */
function signOf(ends: readonly Edge[], place: number): 1 | -1 {
  const edge = ends[place - 1];
  const isLate = edge !== undefined && edge.at > edge.midnight;
  return isLate === (place === 1) ? -1 : 1;
}

export type SupplierStats = SupplierTotals & { readonly days: number; readonly supplierKey: string };

/** The last `days` UTC days, today included, by the day of submission. */
export async function supplierStats(
  tx: Tx,
  supplierKey: string,
  { days }: { readonly days: number },
  now: Date,
): Promise<SupplierStats> {
  const first = new Date(now.getTime() - (days - 1) * DAY_MS);
  const counts = await tx.query(countsByStatus, { supplierKey, firstDay: utcDay(first), lastDay: utcDay(now) });
  return { days, supplierKey, ...supplierTotals(counts) };
}
