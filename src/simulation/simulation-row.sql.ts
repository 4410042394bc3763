// The statements on simulation: what was started, how far it is, what it came to.
import { statement } from '../platform/database/database.ts';
import type { SimulationId } from '../base/ids.ts';
import type { SimulationState, SimulationRow, SimulationInput } from './simulation.ts';

/** Of processes that have died: nobody will finish these. */
export const giveUpSilent = statement<{ readonly heardAt: Date; readonly now: Date }>(
  'simulation.give_up_silent',
  `UPDATE simulation SET state = 'failed', finished_at = $now WHERE state = 'running' AND heard_at < $heardAt`,
);

/** No row where one is under way already. */
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

/** No row where it was cancelled meanwhile, or given up. */
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

/** Newest first, without what they came to. */
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
