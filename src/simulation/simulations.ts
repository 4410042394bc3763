// Runs simulations in a worker thread, one at a time: a replay computes for minutes, and requests must not wait for it.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type pg from 'pg';

import type { SimulationId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Replica } from '../platform/database/replica.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import type { ThreadTask } from './run-simulation.job.ts';
import { beginSimulation, finishSimulation } from './simulation-row.ts';
import type { SimulationInput } from './simulation.ts';

export type SimulationsOptions = {
  readonly database: Pick<Database, 'query'>;
  /** The thread opens its own connections. */
  readonly connection: pg.ClientConfig;
  /** The past is read from it where it works. */
  readonly replica: Replica | null;
  readonly clock: Clock;
  readonly allowTargets: AllowedTargets;
  /** Receives the error of a thread that failed. */
  readonly onFault: (error: unknown) => void;
};

export type SimulationRequest = { readonly input: SimulationInput; readonly days: number; readonly operator: string };

export type Simulations = {
  /** Returns at once; the row shows the progress. */
  start(input: SimulationRequest): Promise<Outcome<SimulationId, 'simulation_running'>>;
  /** Stops the simulation of this process and waits for its end. */
  close(): Promise<void>;
};

export function createSimulations(options: SimulationsOptions): Simulations {
  const { database, connection, replica, clock, allowTargets, onFault } = options;
  const running = new Map<SimulationId, { readonly thread: Worker; readonly ended: Promise<void> }>();

  /** Stores the end of a thread that could not do so itself: cancelled with the process, or failed. */
  const follow = async (simulationId: SimulationId, thread: Worker): Promise<void> => {
    let state: 'cancelled' | 'failed' = 'cancelled';
    try {
      await once(thread, 'exit');
    } catch (error) {
      state = 'failed';
      onFault(error);
    }
    running.delete(simulationId);
    try {
      await finishSimulation(database, simulationId, { state, result: null }, clock.now());
    } catch (error) {
      onFault(error);
    }
  };

  return {
    async start(input) {
      const simulationId = await beginSimulation(database, input, clock.now());
      if (simulationId === null) return refuse('simulation_running');
      const task: ThreadTask = {
        simulationId,
        connection: { ...connection },
        replica,
        allowTargets: [...allowTargets],
      };
      // Without the flags of this process: they may name a debugger port that is taken.
      const thread = new Worker(new URL('./run-simulation.job.ts', import.meta.url), {
        workerData: task,
        execArgv: [],
      });
      running.set(simulationId, { thread, ended: follow(simulationId, thread) });
      return done(simulationId);
    },
    async close() {
      await Promise.all([...running.values()].map(({ thread }) => thread.terminate()));
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
