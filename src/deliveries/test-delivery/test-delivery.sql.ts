// The SQL of test deliveries: their place in the log of attempts.
import { statement } from '../../platform/database/database.ts';

export const insertTestAttempt = statement(
  'tests.insert_attempt',
  `INSERT INTO attempt (attempt_id, buyer_key, channel, target, attempt, state, is_test, at)
   VALUES ($1, $2, 'webhook', $3, 1, 'scheduled', true, $4)`,
);

export const finishTestAttempt = statement(
  'tests.finish_attempt',
  `UPDATE attempt SET state = $2, response_code = $3, response_snippet = $4, latency_ms = $5, error = $6
   WHERE attempt_id = $1`,
);
