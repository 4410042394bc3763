// Reads the operator's overview: leads and sales of today, queues, failing endpoints, processes and problems.
import { firstIdOf } from '../base/id-time.ts';
import { utcDay } from '../base/time.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { readMinutes, readProcesses } from '../platform/processes/read-processes.ts';
import { type Flow, type Market, marketProblems } from './market.rules.ts';
import { type Problem, problemsOf, type QueueState } from './overview.rules.ts';
import {
  databaseSize,
  COUNTED_AT_MOST,
  deadJobs,
  deliveriesOfDay,
  failingEndpoints,
  latestAttempts,
  latestLead,
  leadsOfDay,
  selectMarketplaceStatus,
  type FailingEndpoint,
  type LatestAttempts,
} from './overview.sql.ts';
import { readQueues } from './read-queues.ts';
import type { SeenProcess, Minute } from '../platform/processes/process-row.ts';

export type Today = {
  /** The UTC day. */
  readonly day: string;
  /** Leads by public status, without test leads. */
  readonly leads: ReadonlyMap<string, number>;
  /** The day's deliveries by their present status. */
  readonly deliveries: ReadonlyMap<string, { readonly deliveries: number; readonly cents: number }>;
};

export type Overview = {
  readonly asOf: Date;
  readonly currency: string;
  readonly configVersion: number;
  readonly minutes: readonly Minute[];
  readonly lastLeadAt: Date | null;
  readonly today: Today;
  readonly queues: readonly QueueState[];
  readonly endpoints: {
    readonly failing: number;
    readonly disabled: number;
    /** The first fifty of both kinds. */
    readonly listed: readonly FailingEndpoint[];
  };
  readonly deadJobs: { readonly jobs: number; readonly isMore: boolean; readonly latestAt: Date | null };
  readonly attempts: LatestAttempts;
  readonly processes: readonly SeenProcess[];
  readonly problems: readonly Problem[];
};

/** The chart shows an hour; its last minutes count as "now". */
const MINUTES = 60;
export const RECENT_MINUTES = 5;
const HOUR_MS = 3_600_000;

/** `tx` must be a snapshot, so that the numbers are consistent. `market` may be some seconds older. */
export async function readOverview(tx: Tx, market: Market, now: Date): Promise<Overview> {
  // The statements go out together and share one round trip.
  const [[marketplace], minutes, processes, [lead], today, queues, endpoints, [dead], attempts] = await Promise.all([
    tx.query(selectMarketplaceStatus),
    readMinutes(tx, MINUTES, now),
    readProcesses(tx, now),
    tx.query(latestLead),
    readToday(tx, now),
    readQueues(tx, now),
    tx.query(failingEndpoints),
    tx.query(deadJobs),
    readAttempts(tx, now),
  ]);
  const { inAll, disabled } = endpoints[0] ?? { inAll: 0, disabled: 0 };
  const read = {
    asOf: now,
    currency: marketplace?.currency ?? '',
    configVersion: marketplace?.configVersion ?? 0,
    minutes,
    lastLeadAt: lead?.receivedAt ?? null,
    today,
    queues,
    endpoints: { failing: inAll - disabled, disabled, listed: endpoints },
    deadJobs: deadJobsOf(dead),
    attempts,
    processes,
  };
  return { ...read, problems: problemsIn(read, market) };
}

function problemsIn(read: Omit<Overview, 'problems'>, market: Market): readonly Problem[] {
  const recent = read.minutes.slice(-RECENT_MINUTES);
  const sum = (name: 'apiAnswers' | 'apiFaults'): number => recent.reduce((total, minute) => total + minute[name], 0);
  const service = {
    queues: read.queues,
    endpoints: read.endpoints,
    deadJobs: read.deadJobs.jobs,
    deadJobsAreMore: read.deadJobs.isMore,
    recent: { minutes: RECENT_MINUTES, responses: sum('apiAnswers'), faults: sum('apiFaults') },
    attempts: read.attempts,
    processes: read.processes,
  };
  return problemsOf(service, marketProblems(market, flowOf(read)));
}

function flowOf({ today: { leads }, lastLeadAt, asOf }: Omit<Overview, 'problems'>): Flow {
  const leadsIn = (...statuses: readonly string[]): number =>
    statuses.reduce((sum, status) => sum + (leads.get(status) ?? 0), 0);
  return {
    decided: leadsIn('Lead Sale', 'Calendar Assigned', 'No Buyer', 'Duplicate', 'Suppressed'),
    noBuyer: leadsIn('No Buyer'),
    minutesSinceLead: lastLeadAt === null ? null : Math.max(0, (asOf.getTime() - lastLeadAt.getTime()) / 60_000),
  };
}

async function readToday(tx: Tx, now: Date): Promise<Today> {
  const day = utcDay(now);
  const [leads, deliveries] = await Promise.all([tx.query(leadsOfDay, { day }), tx.query(deliveriesOfDay, { day })]);
  return {
    day,
    leads: new Map(leads.map((row) => [row.status, row.leads])),
    deliveries: new Map(deliveries.map(({ status, ...row }) => [status, row])),
  };
}

function deadJobsOf(row: { jobs: number; latestAt: Date | null } | undefined): Overview['deadJobs'] {
  const jobs = row?.jobs ?? 0;
  return { jobs: Math.min(jobs, COUNTED_AT_MOST), isMore: jobs > COUNTED_AT_MOST, latestAt: row?.latestAt ?? null };
}

async function readAttempts(tx: Tx, now: Date): Promise<LatestAttempts> {
  const since = firstIdOf(new Date(now.getTime() - HOUR_MS));
  const [row] = await tx.query(latestAttempts, { since });
  if (row === undefined) return { made: 0, from: null, taken: 0, serverErrors: 0, noResponse: 0 };
  const { attempts: made, ...rest } = row;
  return { made, ...rest };
}

/** In bytes. Expensive: PostgreSQL checks every file of the database. */
export async function readDatabaseSize(database: Database): Promise<number | null> {
  const [row] = await database.query(databaseSize);
  return row?.bytes ?? null;
}
