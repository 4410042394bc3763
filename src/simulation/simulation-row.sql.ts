// The statements on simulation: what was started, how far it is, what it came to.
import { statement } from '../platform/database/database.ts';

/** Of processes that have died: nobody will finish these. */
export const giveUpSilent = statement(
  'simulation.give_up_silent',
  `UPDATE simulation SET state = 'failed', finished_at = $2 WHERE state = 'running' AND heard_at < $1`,
);

/** No row where one is under way already. */
export const insertSimulation = statement(
  'simulation.insert',
  `INSERT INTO simulation (simulation_id, operator_name, input, days, state, created_at, heard_at)
   VALUES ($1, $2, $3::jsonb, $4, 'running', $5, $5)
   ON CONFLICT ((true)) WHERE state = 'running' DO NOTHING RETURNING simulation_id AS "simulationId"`,
);

/** No row where it was cancelled meanwhile, or given up. */
export const noteProgress = statement(
  'simulation.note_progress',
  `UPDATE simulation SET decisions_done = $2, decisions = $3, heard_at = $4
   WHERE simulation_id = $1 AND state = 'running' RETURNING simulation_id AS "simulationId"`,
);

export const endSimulation = statement(
  'simulation.end',
  `UPDATE simulation SET state = $2, result = $3::jsonb, finished_at = $4
   WHERE simulation_id = $1 AND state = 'running' RETURNING simulation_id AS "simulationId"`,
);

const COLUMNS = `simulation_id AS "simulationId", operator_name AS "operator", days, state, decisions_done AS "done",
  decisions AS "all", created_at AS "createdAt", heard_at AS "heardAt", finished_at AS "finishedAt"`;

/** Newest first, without what they came to. */
export const selectSimulations = statement(
  'simulation.select_latest',
  `SELECT ${COLUMNS} FROM simulation ORDER BY created_at DESC, simulation_id DESC LIMIT $1`,
);

export const selectSimulation = statement(
  'simulation.select_one',
  `SELECT ${COLUMNS}, result FROM simulation WHERE simulation_id = $1`,
);

export const selectInput = statement(
  'simulation.select_input',
  `SELECT input, days, created_at AS "createdAt" FROM simulation WHERE simulation_id = $1`,
);

export const forgetSimulationsSql = statement(
  'simulation.forget',
  `DELETE FROM simulation WHERE created_at < $1 AND state <> 'running'`,
);
