// The worker thread of one simulation (simulations.ts): replays, saves its progress, and stops when the simulation was cancelled.
import { strict as assert } from 'node:assert';
import { workerData } from 'node:worker_threads';

import type pg from 'pg';

import type { SimulationId } from '../base/ids.ts';
import { readInput } from '../marketplace-file/read-input.ts';
import { systemClock } from '../platform/clock.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { openReads, type Replica } from '../platform/database/replica.ts';
import { simulateFile } from './simulate-file.ts';
import { finishSimulation, readSimulationInput, type SimulationEnd, saveProgress } from './simulation-row.ts';

export type ThreadTask = {
  readonly simulationId: SimulationId;
  readonly connection: pg.ClientConfig;
  readonly replica: Replica | null;
  /** Exact origins that the target rules allow. */
  readonly allowTargets: readonly string[];
};

/** Often enough for a moving progress bar and a prompt reaction to cancelling. */
const SAVE_EVERY_MS = 1000;

const task = workerData as ThreadTask;
// One connection for the replay, one for saving progress.
const database = openDatabase({
  connection: task.connection,
  connections: 2,
  applicationName: 'leadmarket simulation',
});
try {
  await work(database, task);
} finally {
  await database.close();
}

async function work(on: Database, { simulationId, replica, allowTargets }: ThreadTask): Promise<void> {
  const started = await readSimulationInput(on, simulationId);
  assert(started !== null, 'the row of a simulation that was just started is missing');
  const { input, days, createdAt } = started;
  let progress: { done: number; all: number | null } = { done: 0, all: null };
  let isWanted = true;
  const timer = setInterval(() => {
    saveProgress(on, simulationId, progress, systemClock.now()).then(
      (wanted) => {
        isWanted = wanted;
        // Exit at once: the replay's statements may take long, and its result is discarded.
        if (!wanted) process.exit();
      },
      // A later save may succeed; if none does, the row's `heard_at` shows that the thread is silent.
      () => {
        isWanted = true;
      },
    );
  }, SAVE_EVERY_MS);
  const onProgress = (done: number, all: number): void => {
    progress = { done, all };
  };
  const reads = openReads({ database: on, replica });
  // The replica then has the configuration of now.
  await reads.ready();
  const end = await replay(on, { reads: reads.database, input, days, allowTargets, onProgress }, createdAt);
  await reads.close();
  clearInterval(timer);
  if (!isWanted) return;
  await saveProgress(on, simulationId, progress, systemClock.now());
  await finishSimulation(on, simulationId, end, systemClock.now());
}

type Replay = {
  /** For the past. */
  readonly reads: Database;
  readonly input: Parameters<typeof readInput>[1];
  readonly days: number;
  readonly allowTargets: readonly string[];
  readonly onProgress: (done: number, all: number) => void;
};

/** No endpoint is called, so the hosts of the URLs are not resolved. */
async function replay(
  on: Database,
  { reads, input, days, allowTargets, onProgress }: Replay,
  now: Date,
): Promise<SimulationEnd> {
  const read = await readInput(on, input, { allowTargets });
  if (!read.ok) return { state: 'refused', result: read.faults };
  const simulated = await reads.tx((tx) => simulateFile(tx, read.file, { days, onProgress }, now), {
    snapshot: true,
    patient: true,
  });
  return simulated.ok
    ? { state: 'done', result: simulated.simulation }
    : { state: 'refused', result: simulated.errors };
}
