// The thread of one simulation (simulations.ts): replays, tells how far it is, and stops where nobody waits for the result any more.
import { strict as assert } from 'node:assert';
import { workerData } from 'node:worker_threads';

import type pg from 'pg';

import type { SimulationId } from '../base/ids.ts';
import { readInput } from '../marketplace-file/read-input.ts';
import { systemClock } from '../platform/clock.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { simulateFile } from './simulate-file.ts';
import { finishSimulation, readSimulationInput, type SimulationEnd, saveProgress } from './simulation-row.ts';

export type ThreadTask = {
  readonly simulationId: SimulationId;
  readonly connection: pg.ClientConfig;
  /** Exact origins that the target rules let pass. */
  readonly allowTargets: readonly string[];
};

/** Often enough for a bar that moves and a button that is obeyed. */
const SAVE_EVERY_MS = 1000;

const task = workerData as ThreadTask;
// One for the replay, one for telling.
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

async function work(on: Database, { simulationId, allowTargets }: ThreadTask): Promise<void> {
  const started = await readSimulationInput(on, simulationId);
  assert(started !== null, 'a simulation is gone that has just been started');
  const { input, days, createdAt } = started;
  let progress: { done: number; all: number | null } = { done: 0, all: null };
  let isWanted = true;
  const timer = setInterval(() => {
    saveProgress(on, simulationId, progress, systemClock.now()).then(
      (wanted) => {
        isWanted = wanted;
        // Statements of the replay may be long, and nothing of it is kept.
        if (!wanted) process.exit();
      },
      // The next one may get through; if none does, the row says that nothing is heard.
      () => {
        isWanted = true;
      },
    );
  }, SAVE_EVERY_MS);
  const onProgress = (done: number, all: number): void => {
    progress = { done, all };
  };
  const end = await replay(on, { input, days, allowTargets, onProgress }, createdAt);
  clearInterval(timer);
  if (!isWanted) return;
  await saveProgress(on, simulationId, progress, systemClock.now());
  await finishSimulation(on, simulationId, end, systemClock.now());
}

type Replay = {
  readonly input: Parameters<typeof readInput>[1];
  readonly days: number;
  readonly allowTargets: readonly string[];
  readonly onProgress: (done: number, all: number) => void;
};

/** Nobody is called, so the hosts of the URLs are not looked up. */
async function replay(
  on: Database,
  { input, days, allowTargets, onProgress }: Replay,
  now: Date,
): Promise<SimulationEnd> {
  const read = await readInput(on, input, { allowTargets });
  if (!read.ok) return { state: 'refused', result: read.faults };
  const simulated = await on.tx((tx) => simulateFile(tx, read.file, { days, onProgress }, now), {
    snapshot: true,
    patient: true,
  });
  return simulated.ok
    ? { state: 'done', result: simulated.simulation }
    : { state: 'refused', result: simulated.errors };
}
