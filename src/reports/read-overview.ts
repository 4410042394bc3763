// Reads the state of the service for the operator: the last minutes, queues, failing endpoints, processes.
import { firstIdOf } from '../base/id-time.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { readMinutes, readProcesses } from '../platform/processes/read-processes.ts';
import { type IllEndpoint, type Problem, type QueueState, serviceProblems, type SpentADay } from './overview.rules.ts';
import {
  databaseSize,
  COUNTED_AT_MOST,
  deadJobs,
  failingEndpoints,
  latestAttempts,
  latestLead,
  selectMarketplaceStatus,
  type LatestAttempts,
} from './overview.sql.ts';
import { readQueues } from './read-queues.ts';
import type { SeenProcess, Minute } from '../platform/processes/process-row.ts';

export type Overview = {
  readonly asOf: Date;
  readonly currency: string;
  readonly configVersion: number;
  readonly minutes: readonly Minute[];
  readonly lastLeadAt: Date | null;
  readonly queues: readonly QueueState[];
  readonly endpoints: {
    readonly failing: number;
    readonly disabled: number;
    /** The first fifty of both kinds. */
    readonly listed: readonly IllEndpoint[];
  };
  readonly deadJobs: { readonly jobs: number; readonly isMore: boolean; readonly latestAt: Date | null };
  readonly attempts: LatestAttempts;
  readonly processes: readonly SeenProcess[];
};

/** The chart shows an hour; its last minutes count as "now". */
const MINUTES = 60;
export const RECENT_MINUTES = 5;
const HOUR_MS = 3_600_000;

/** `tx` must be a snapshot, so that the numbers are consistent. */
export async function readOverview(tx: Tx, now: Date): Promise<Overview> {
  // The statements go out together and share one round trip.
  const [[marketplace], minutes, processes, [lead], queues, endpoints, [dead], attempts] = await Promise.all([
    tx.query(selectMarketplaceStatus),
    readMinutes(tx, MINUTES, now),
    readProcesses(tx, now),
    tx.query(latestLead),
    readQueues(tx, now),
    tx.query(failingEndpoints),
    tx.query(deadJobs),
    readAttempts(tx, now),
  ]);
  const { inAll, disabled } = endpoints[0] ?? { inAll: 0, disabled: 0 };
  return {
    asOf: now,
    currency: marketplace?.currency ?? '',
    configVersion: marketplace?.configVersion ?? 0,
    minutes,
    lastLeadAt: lead?.receivedAt ?? null,
    queues,
    endpoints: { failing: inAll - disabled, disabled, listed: endpoints },
    deadJobs: deadJobsOf(dead),
    attempts,
    processes,
  };
}

export function overviewProblems(read: Overview, spentADay: SpentADay): Problem[] {
  const recent = read.minutes.slice(-RECENT_MINUTES);
  const sum = (name: 'apiAnswers' | 'apiFaults'): number => recent.reduce((total, minute) => total + minute[name], 0);
  const status = {
    queues: read.queues,
    endpoints: read.endpoints,
    deadJobs: read.deadJobs.jobs,
    deadJobsAreMore: read.deadJobs.isMore,
    recent: { minutes: RECENT_MINUTES, responses: sum('apiAnswers'), faults: sum('apiFaults') },
    attempts: read.attempts,
    processes: read.processes,
  };
  return serviceProblems(status, spentADay);
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
