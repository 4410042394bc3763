// Stores simulations started at the console: a row holds progress and result, for whichever process runs it. Streaming the result in the
// response would need no row, but would end with the page and have no URL to return to.
import type { SimulationId } from '../base/ids.ts';
import { newUuid } from '../base/ids.ts';
import { DAY_MS } from '../base/time.ts';
import type { InputFault } from '../marketplace-file/read-input.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Simulation } from './simulate-file.ts';
import {
  endSimulation,
  purgeSimulationsSql,
  giveUpSilent,
  insertSimulation,
  noteProgress,
  selectInput,
  selectSimulation,
  selectSimulations,
} from './simulation-row.sql.ts';
import type { Heard } from './simulation-row.sql.ts';
import type { SimulationState, SimulationRow, SimulationInput } from './simulation.ts';

/** The end of a simulation; `from` and `to` are text once read back from JSON. */
export type SimulationEnd =
  | {
      readonly state: 'done';
      readonly result: Omit<Simulation, 'from' | 'to'> & { from: string | Date; to: string | Date };
    }
  | { readonly state: 'refused'; readonly result: readonly InputFault[] }
  | { readonly state: 'cancelled' | 'failed'; readonly result: null };

/** A running process reports every second; garbage collection or a slow disk may delay it by some seconds. */
const SILENT_MS = 30_000;
/** Long enough to show the result to a colleague. */
const KEPT_DAYS = 30;

/** Null if another simulation is running. */
export async function beginSimulation(
  tx: Tx,
  { input, days, operator }: { readonly input: SimulationInput; readonly days: number; readonly operator: string },
  now: Date,
): Promise<SimulationId | null> {
  await tx.query(giveUpSilent, { heardAt: new Date(now.getTime() - SILENT_MS), now });
  await tx.query(purgeSimulationsSql, { createdAt: new Date(now.getTime() - KEPT_DAYS * DAY_MS) });
  const [row] = await tx.query(insertSimulation, {
    simulationId: newUuid(),
    operator,
    input: JSON.stringify(input),
    days,
    now,
  });
  return row?.simulationId ?? null;
}

/** False if the simulation is no longer wanted. */
export async function saveProgress(
  tx: Tx,
  simulationId: SimulationId,
  { done, all }: Pick<SimulationRow, 'done' | 'all'>,
  now: Date,
): Promise<boolean> {
  return (await tx.query(noteProgress, { simulationId, done, all, now })).length > 0;
}

/** False if it had already ended or does not exist. */
export async function finishSimulation(
  tx: Tx,
  simulationId: SimulationId,
  end: SimulationEnd,
  now: Date,
): Promise<boolean> {
  const { state, result } = end;
  return (
    (
      await tx.query(endSimulation, {
        simulationId,
        state,
        result: result === null ? null : JSON.stringify(result),
        now,
      })
    ).length > 0
  );
}

/** Newest first. */
export async function listSimulations(tx: Tx, limit: number, now: Date): Promise<SimulationRow[]> {
  const rows = await tx.query(selectSimulations, { limit });
  return rows.map((row) => ({ ...row, state: stateOf(row, now) }));
}

export async function readSimulation(
  tx: Tx,
  simulationId: SimulationId,
  now: Date,
): Promise<(SimulationRow & { readonly result: unknown }) | null> {
  const [row] = await tx.query(selectSimulation, { simulationId });
  return row === undefined ? null : { ...row, state: stateOf(row, now) };
}

export async function readSimulationInput(
  tx: Tx,
  simulationId: SimulationId,
): Promise<{ readonly input: SimulationInput; readonly days: number; readonly createdAt: Date } | null> {
  const [row] = await tx.query(selectInput, { simulationId });
  return row ?? null;
}

/** A running simulation that has been silent for too long counts as failed before that is stored. */
function stateOf({ state, heardAt }: Heard, now: Date): SimulationState {
  return state === 'running' && now.getTime() - heardAt.getTime() > SILENT_MS ? 'failed' : state;
}
