// Dispatches the jobs of endpoint queues: leases due jobs, sends them concurrently with a bound per queue, and stores the results in
// batches. A hanging endpoint fills its own slots and no others (contract 4.9, 4.10, 4.12; decision 007).
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../database/database.ts';
import { createMicroBatch } from '../database/micro-batch.ts';
import { repeatThroughOutage, repeatTransient } from '../database/retry-transaction.ts';
import { shareSlots, type Slots } from './share-slots.rules.ts';
import { restOf, startWorkLoop } from './work-loop.ts';
import type { Topic, Wakeups } from './wakeups.ts';

export type DueQueue = {
  /** Its breaker is open, and the time of the next attempt has come. */
  readonly isBroken: boolean;
};

/** How many jobs to lease: at most one of a queue whose breaker is open. */
export type Claim<Queue> = {
  readonly queues: ReadonlyArray<Queue & { readonly jobs: number }>;
  /** The caller owns the jobs for this long; jobs that are not settled by then (the worker died) are due again. */
  readonly leaseMs: number;
  readonly probeSeconds: number;
};

/** A leased job: its lease counts the attempt. */
export type StartedJob = { readonly job: { readonly isProbe: boolean } };

/** Jobs of one endpoint queue that are sent in one call. */
export type Call<Job> = readonly [Job, ...Job[]];

type Report = {
  /** Whether waiting jobs have become due. */
  readonly isMoreDue: boolean;
};

export type DispatcherOptions<Queue extends DueQueue, Job extends StartedJob, Result, Settled extends Report> = {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly topic: Topic;
  readonly slots: Slots;
  readonly probeSeconds: () => number;
  readonly queueName: (of: Queue | Job) => string;
  /** Above 1, a queue has one call at a time with this many jobs. */
  readonly jobsPerCall: (of: Queue | Job) => number;
  /** Endpoint queues with jobs that are due. */
  readonly due: (tx: Tx, probeSeconds: number, now: Date) => Promise<Queue[]>;
  /** Leases jobs and counts their attempts, before anything is sent. */
  readonly claim: (tx: Tx, claim: Claim<Queue>, now: Date) => Promise<Job[]>;
  /** Sends without a transaction, within 20 s, and hands the result of each job to `settle` once, which resolves after its commit. */
  readonly send: (call: Call<Job>, settle: (result: Result) => Promise<Settled>) => Promise<void>;
  /** Stores results. Must be idempotent. */
  readonly settle: (tx: Tx, results: readonly Result[], now: Date) => Promise<Settled>;
  /** Called after the commit. */
  readonly onSettled?: (report: Settled) => void;
  readonly onFault: (error: unknown) => void;
  /** Of the work loop. */
  readonly pollMs?: number | undefined;
};

export type Dispatcher = {
  /** Takes no new jobs and waits for the running sends, which have a time limit of their own. */
  stop(): Promise<void>;
  /** Repeats an idempotent transaction while the database is unavailable, as long as the lease allows. */
  persist<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>;
};

/** The 20 s of a send plus the commits around it. The jobs of a dead worker run again after it, within 60 s. */
const LEASE_MS = 40_000;
const RESULTS_PER_FLUSH = 200;
/**
 * Calls with a response that wait for their commit, beyond the slots. With the 256 slots of a sender two flushes take all of them: a result
 * that had to wait for a third one could be stored after its lease has ended.
 */
const UNSTORED_MAX = 144;
/** A result that is not stored leads to another send. This and the 20 s of a send end before the lease does. */
const REPEAT_WITHIN_MS = 15_000;
/** A stopping process has 30 s for everything. */
const REPEAT_WITHIN_AT_END_MS = 5000;

export function startDispatcher<Queue extends DueQueue, Job extends StartedJob, Result, Settled extends Report>(
  options: DispatcherOptions<Queue, Job, Result, Settled>,
): Dispatcher {
  const { database, clock, wakeups, topic, onFault, pollMs } = options;
  /** Sends that wait for a response, by endpoint queue. */
  const busy = new Map<string, number>();
  let sending = 0;
  /** Sends whose results are not all stored. */
  const running = new Set<Promise<void>>();
  let probing = 0;
  /** Whether the last round left due queues without a slot: then each slot that becomes free is worth a round. */
  let isCrowded = false;
  let ending = false;

  const persist: Dispatcher['persist'] = (work) =>
    repeatThroughOutage(
      () => repeatTransient(() => database.tx(work)),
      () => (ending ? REPEAT_WITHIN_AT_END_MS : REPEAT_WITHIN_MS),
    );
  const results = createMicroBatch<Result, Settled>({
    itemsPerFlush: RESULTS_PER_FLUSH,
    async flush(items) {
      const report = await persist((tx) => options.settle(tx, items, clock.now()));
      if (report.isMoreDue) wakeups.wake(topic);
      options.onSettled?.(report);
      return items.map(() => report);
    },
  });

  const round = async (): Promise<boolean> => {
    isCrowded = true;
    if (sending >= options.slots.total || running.size >= options.slots.total + UNSTORED_MAX) return false;
    const probeSeconds = options.probeSeconds();
    // A single statement needs no BEGIN and COMMIT.
    const due = await options.due(database, probeSeconds, clock.now());
    isCrowded = due.length > 0;
    const queues = withJobs(due, { ...options, probing, busy });
    // A process that is stopping would have to wait for the sends of new jobs.
    if (ending || queues.length === 0) return false;
    const claim = { queues, leaseMs: LEASE_MS, probeSeconds };
    const started = await database.tx((tx) => options.claim(tx, claim, clock.now()));
    for (const call of callsOf(started, options)) begin(call);
    return started.length > 0;
  };

  const begin = (call: Call<Job>): void => {
    const name = options.queueName(call[0]);
    const probes = call[0].job.isProbe ? 1 : 0;
    let waiting = call.length;
    busy.set(name, (busy.get(name) ?? 0) + 1);
    sending += 1;
    probing += probes;
    // A commit may take longer than the response did: the slot is for the endpoint, and not for the database.
    const onResponse = (): void => {
      waiting -= 1;
      if (waiting !== 0) return;
      sending -= 1;
      probing -= probes;
      release(busy, name);
      if (isCrowded) wakeups.wakeHere(topic);
    };
    const run = send(call, onResponse).finally(() => {
      running.delete(run);
      // Jobs without a result, because sending them threw.
      while (waiting > 0) onResponse();
      if (running.size === options.slots.total + UNSTORED_MAX - 1) wakeups.wakeHere(topic);
    });
    running.add(run);
  };

  /** Never rejects. */
  const send = async (call: Call<Job>, onResponse: () => void): Promise<void> => {
    try {
      await options.send(call, (result) => {
        onResponse();
        return results.add(result);
      });
    } catch (error) {
      // The lease expires and the jobs run again; only time is lost.
      onFault(error);
    }
  };

  // Also rests while more jobs wait: meanwhile slots become free, and the next round claims more jobs at once.
  const rest = (tookMs: number): number => restOf(tookMs, false);
  const loop = startWorkLoop({ topic, wakeups, round, rest, onFault, pollMs });
  return {
    persist,
    async stop() {
      ending = true;
      await loop.stop();
      await Promise.allSettled(running);
    },
  };
}

function release(busy: Map<string, number>, name: string): void {
  const left = (busy.get(name) ?? 1) - 1;
  if (left === 0) busy.delete(name);
  else busy.set(name, left);
}

type Sharing<Queue, Job> = {
  readonly slots: Slots;
  readonly queueName: (of: Queue | Job) => string;
  readonly jobsPerCall: (of: Queue | Job) => number;
  readonly probing: number;
  readonly busy: ReadonlyMap<string, number>;
};

function withJobs<Queue extends DueQueue, Job>(
  due: readonly Queue[],
  { slots, queueName, jobsPerCall, probing, busy }: Sharing<Queue, Job>,
): Array<Queue & { jobs: number }> {
  const shares = shareSlots(slots, {
    // Two concurrent calls would split jobs that one call can take.
    queues: due.map((queue) => ({
      name: queueName(queue),
      isBroken: queue.isBroken,
      isShared: jobsPerCall(queue) > 1,
    })),
    probing,
    busy,
    chance: Math.random(),
  });
  return due.flatMap((queue) => {
    const share = shares.get(queueName(queue)) ?? 0;
    return share === 0 ? [] : [{ ...queue, jobs: share * jobsPerCall(queue) }];
  });
}

function callsOf<Queue, Job>(
  started: readonly Job[],
  { queueName, jobsPerCall }: Pick<Sharing<Queue, Job>, 'queueName' | 'jobsPerCall'>,
): Array<Call<Job>> {
  return [...Map.groupBy(started, queueName).values()].flatMap(([first, ...more]): Array<Call<Job>> => {
    if (first === undefined) return [];
    return jobsPerCall(first) > 1 ? [[first, ...more]] : [[first], ...more.map((job): Call<Job> => [job])];
  });
}
