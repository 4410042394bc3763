// SQL on the table of simulations: start, progress, result, retention.
import { statement } from '../platform/database/database.ts';
import type { SimulationId } from '../base/ids.ts';
import type { SimulationState, SimulationRow, SimulationInput } from './simulation.ts';

/** Marks simulations as failed whose process has died. */
export const giveUpSilent = statement<{ readonly heardAt: Date; readonly now: Date }>(
  'simulation.give_up_silent',
  `UPDATE simulation SET state = 'failed', finished_at = $now WHERE state = 'running' AND heard_at < $heardAt`,
);

/** Inserts no row if a simulation is already running. */
export const insertSimulation = statement<
  {
    readonly simulationId: SimulationId;
    readonly operator: string;
    readonly input: string;
    readonly days: number;
    readonly now: Date;
  },
  { simulationId: SimulationId }
>(
  'simulation.insert',
  `INSERT INTO simulation (simulation_id, operator_name, input, days, state, created_at, heard_at)
   VALUES ($simulationId, $operator, $input::jsonb, $days, 'running', $now, $now)
   ON CONFLICT ((true)) WHERE state = 'running' DO NOTHING RETURNING simulation_id AS "simulationId"`,
);

/** Updates no row if the simulation was cancelled or has been marked as failed. */
export const noteProgress = statement<{
  readonly simulationId: SimulationId;
  readonly done: number;
  readonly all: number | null;
  readonly now: Date;
}>(
  'simulation.note_progress',
  `UPDATE simulation SET decisions_done = $done, decisions = $all, heard_at = $now
   WHERE simulation_id = $simulationId AND state = 'running' RETURNING simulation_id AS "simulationId"`,
);

export const endSimulation = statement<{
  readonly simulationId: SimulationId;
  readonly state: string;
  readonly result: string | null;
  readonly now: Date;
}>(
  'simulation.end',
  `UPDATE simulation SET state = $state, result = $result::jsonb, finished_at = $now
   WHERE simulation_id = $simulationId AND state = 'running' RETURNING simulation_id AS "simulationId"`,
);

const COLUMNS = `simulation_id AS "simulationId", operator_name AS "operator", days, state, decisions_done AS "done",
  decisions AS "all", created_at AS "createdAt", heard_at AS "heardAt", finished_at AS "finishedAt"`;

export type Heard = { readonly state: SimulationState; readonly heardAt: Date };

/** Newest first, without results. */
export const selectSimulations = statement<{ readonly limit: number }, SimulationRow & Heard>(
  'simulation.select_latest',
  `SELECT ${COLUMNS} FROM simulation ORDER BY created_at DESC, simulation_id DESC LIMIT $limit`,
);

export const selectSimulation = statement<
  { readonly simulationId: SimulationId },
  SimulationRow & Heard & { result: unknown }
>('simulation.select_one', `SELECT ${COLUMNS}, result FROM simulation WHERE simulation_id = $simulationId`);

export const selectInput = statement<
  { readonly simulationId: SimulationId },
  { input: SimulationInput; days: number; createdAt: Date }
>(
  'simulation.select_input',
  `SELECT input, days, created_at AS "createdAt" FROM simulation WHERE simulation_id = $simulationId`,
);

export const purgeSimulationsSql = statement<{ readonly createdAt: Date }>(
  'simulation.purge',
  `DELETE FROM simulation WHERE created_at < $createdAt AND state <> 'running'`,
);
