// Runs routing while leads are due. A batch that fails is halved until the failing lead is alone; that lead is retried with growing
// delays and ends as a dead job that the operator sees (contract 7.2).
import { setTimeout as sleep } from 'node:timers/promises';

import type { LeadId } from '../base/ids.ts';
import { appendNameColumns, type NameColumn } from '../buyers/own-columns.ts';
import { areAllOverdue } from '../deliveries/sending/begin-attempts.ts';
import type { EndpointQueue } from '../deliveries/sending/endpoint-queue.rules.ts';
import type { Clock } from '../platform/clock.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import type { Database } from '../platform/database/database.ts';
import { isTransient } from '../platform/database/sql-state.ts';
import { OutsideError } from '../platform/outside-error.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { restOf, startWorkLoop, type WorkLoop } from '../platform/queue/work-loop.ts';
import type { Wakeups } from '../platform/queue/wakeups.ts';
import { newNameColumns } from './name-columns.rules.ts';
import type { MarketReader } from './market-reader.ts';
import { deferLead } from './defer-lead.ts';
import { createLeftOutReport } from './report-left-out.ts';
import { routeLeads, type RouteReport } from './route-leads.ts';
import { StaleSnapshotError } from './reserve-capacity.ts';
import { SupplierTermsError } from './write-unlocked-rows.ts';
import { traceBatch } from './trace-batch.ts';

export type RouterOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly market: MarketReader;
  readonly onRouted: (report: RouteReport) => void;
  readonly onFault: (error: unknown) => void;
  /** Whether this process is storing posted leads at this moment. */
  readonly isIngesting: () => boolean;
  /** Whether a wake-up is for this router. */
  readonly heeds?: () => boolean;
  readonly leadsPerBatch?: number;
  /** Null where no traces are exported. */
  readonly tracing?: Tracing | null;
  /** Of the work loop. */
  readonly pollMs?: number;
};

/** Takes 10 % less processor time per lead than 250, at the same throughput or more; larger batches only hold locks longer. */
const LEADS_PER_BATCH = 500;
/**
 * Routing runs no further ahead of sending than this: what waits in the inbox is claimed in turn over suppliers, and what waits in an
 * endpoint queue is sent in order of age.
 */
const AHEAD_MS = 250;
/** While endpoints take too little, they are looked at this often, … */
const BEHIND_PAUSE_MS = 50;
/** After a pause: a full batch would fill the endpoint queues for longer than `AHEAD_MS`. */
const LEADS_AFTER_PAUSE = 150;
/** … and after this long a few leads are routed all the same: other endpoints than those of the last batch may have room. */
const LONGEST_BEHIND_MS = 1000;
const LEADS_WHEN_BEHIND = 50;
/**
 * Posted leads are stored first: while some are being stored, routing takes half of the time, and a quarter while more come in than it
 * routes. What is postponed is routed in order of age, and no lead waits much longer than `LONGEST_WAIT_MS` for it.
 */
const RESTS = { usual: { times: 1, longestMs: 400 }, flood: { times: 3, longestMs: 800 } } as const;
const LONGEST_WAIT_MS = 5000;

export function startRouter(options: RouterOptions): WorkLoop {
  const { database, clock, wakeups, onFault, isIngesting, heeds = () => true, pollMs } = options;
  const most = options.leadsPerBatch ?? LEADS_PER_BATCH;
  let limit = most;
  /** The endpoint queues that the last batch with deliveries went to. */
  let queues: readonly EndpointQueue[] = [];
  const addedColumns = new Set<string>();
  /** In a transaction of its own: that of the batch must lock no partner. */
  const addNameColumns = async (columns: readonly NameColumn[]): Promise<void> => {
    const missing = newNameColumns(columns, addedColumns);
    if (missing.size === 0) return;
    await database.tx((tx) => appendNameColumns(tx, [...missing.values()]));
    for (const key of missing.keys()) addedColumns.add(key);
  };
  const reportLeftOut = createLeftOutReport({ database, clock, onFault });
  let behindMs = 0;
  let waitedMs = 0;

  // A single statement needs no BEGIN and COMMIT.
  const isBehind = (): Promise<boolean> =>
    areAllOverdue(database, queues, new Date(dueAtOnce(clock.now()).getTime() - AHEAD_MS));

  return startWorkLoop({
    topic: 'routing',
    wakeups,
    onFault,
    heeds,
    pollMs,
    rest(tookMs, more) {
      if (!isIngesting() || waitedMs >= LONGEST_WAIT_MS) return restOf(tookMs, more);
      const { times, longestMs } = more ? RESTS.flood : RESTS.usual;
      return Math.min(times * tookMs, longestMs);
    },
    async round() {
      const behind = queues.length > 0 && (await isBehind());
      if (behind && behindMs < LONGEST_BEHIND_MS) {
        await sleep(BEHIND_PAUSE_MS);
        behindMs += BEHIND_PAUSE_MS;
        return true;
      }
      const requested = Math.min(limit, behind ? LEADS_WHEN_BEHIND : behindMs > 0 ? LEADS_AFTER_PAUSE : limit);
      behindMs = 0;
      const { leads, done, report } = await routeBatch(options, requested);
      // Doubles after a success as it halves after a failure, so that consecutive failing leads cost one small batch each.
      limit = done ? Math.min(limit * 2, most) : Math.ceil(leads / 2);
      if (report !== null && report.deliveries > 0) queues = report.queues ?? [];
      if (report !== null) await reportLeftOut(report.leftOut);
      if (report !== null) await addNameColumns(report.nameColumns);
      const now = dueAtOnce(clock.now());
      waitedMs = now.getTime() - (report?.oldestDueAt ?? now).getTime();
      return !done || leads === requested;
    },
  });
}

type Batch = {
  readonly leads: number;
  readonly done: boolean;
  /** Null if it failed. */
  readonly report: RouteReport | null;
};

/** Runs one batch of `leads` leads. If not `done`, it failed and was too large to know which lead is the cause. */
async function routeBatch(options: RouterOptions, limit: number): Promise<Batch> {
  let claimed: readonly LeadId[] = [];
  try {
    const report = await routeOnce(options, limit, (leadIds) => {
      claimed = leadIds;
    });
    return { leads: claimed.length, done: true, report };
  } catch (error) {
    const [leadId] = claimed;
    if (error instanceof OutsideError || leadId === undefined) throw error;
    options.onFault(error);
    if (error instanceof SupplierTermsError) {
      await deferAll(options, error);
      // As if there were more: the others are still due.
      return { leads: limit, done: true, report: null };
    }
    if (claimed.length > 1) return { leads: claimed.length, done: false, report: null };
    await defer(options, leadId, error);
    return { leads: 1, done: true, report: null };
  }
}

/** Each in a transaction of its own, as if it had failed alone. */
async function deferAll(options: RouterOptions, { leads }: SupplierTermsError): Promise<void> {
  for (const [leadId, { error }] of leads) await defer(options, leadId, error);
}

async function defer({ database, clock, wakeups }: RouterOptions, leadId: LeadId, error: unknown): Promise<void> {
  const deferred = await database.tx((tx) => deferLead(tx, { leadId, error: describe(error) }, clock.now()));
  if (deferred.callbacks > 0) wakeups.wake('callbacks');
}

async function routeOnce(
  options: RouterOptions,
  limit: number,
  onClaimed: (leadIds: readonly LeadId[]) => void,
): Promise<RouteReport> {
  const { database, clock, market, wakeups, onRouted, tracing = null } = options;
  let claimedAt = clock.now();
  // After a stale snapshot the batch takes its locks first and cannot become stale again; only deadlocks remain to be retried.
  for (let attempt = 1; ; attempt += 1) {
    try {
      const lockFirst = attempt > 1;
      const report = await database.tx((tx) => {
        claimedAt = clock.now();
        return routeLeads(tx, { market, limit, lockFirst, onClaimed }, claimedAt);
      });
      if (tracing !== null) traceBatch(tracing, report.batch, { claimedAt, committedAt: clock.now() });
      if (report.deliveries > 0) wakeups.wake('sending');
      if (report.callbacks > 0) wakeups.wake('callbacks');
      if (report.leads > 0) onRouted(report);
      return report;
    } catch (error) {
      const mayRepeat = error instanceof StaleSnapshotError || isTransient(error);
      if (!mayRepeat || attempt === 5) throw error;
    }
  }
}

function describe(error: unknown): string {
  // The message of a database error may quote a value of the lead; its class and code do not.
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}
