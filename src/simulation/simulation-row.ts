// A simulation that was started at the console: its row says how far it is and what it came to, whichever process works on it. To
// stream that in the answer would need no row, but it would end with the page that reads it, and have no address to come back to.
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

/** As JSON gives it back. */
export type SimulationEnd =
  | {
      readonly state: 'done';
      readonly result: Omit<Simulation, 'from' | 'to'> & { from: string | Date; to: string | Date };
    }
  | { readonly state: 'refused'; readonly result: readonly InputFault[] }
  | { readonly state: 'cancelled' | 'failed'; readonly result: null };

/** The process that works on it is heard of every second; a full collection of garbage or a slow disk may take some. */
const SILENT_MS = 30_000;
/** Until then a colleague can be shown what it came to. */
const KEPT_DAYS = 30;

/** Null where another one is under way. */
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

/** False where nobody waits for it any more. */
export async function saveProgress(
  tx: Tx,
  simulationId: SimulationId,
  { done, all }: Pick<SimulationRow, 'done' | 'all'>,
  now: Date,
): Promise<boolean> {
  return (await tx.query(noteProgress, { simulationId, done, all, now })).length > 0;
}

/** False where it had ended already, or there is none. */
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

/** One that nobody works on any more has failed, before anybody has written that down. */
function stateOf({ state, heardAt }: Heard, now: Date): SimulationState {
  return state === 'running' && now.getTime() - heardAt.getTime() > SILENT_MS ? 'failed' : state;
}
