// The SQL that writes the log of attempts.
import { statement } from '../platform/database/database.ts';

export const insertAttempts = statement(
  'endpoints.insert_attempts',
  `INSERT INTO attempt (attempt_id, delivery_id, buyer_key, channel, target, attempt, state, is_test, at)
   SELECT attempt_id, delivery_id, buyer_key, channel, target, attempt, 'scheduled', false, $7
   FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int[])
     AS u (attempt_id, delivery_id, buyer_key, channel, target, attempt)`,
);

/** The response to what was erased meanwhile is not kept. Changes nothing where no attempt was written down at its beginning. */
export const updateAttempts = statement(
  'endpoints.update_attempts',
  `UPDATE attempt a SET state = u.state, response_code = u.response_code, response_snippet = u.response_snippet,
          latency_ms = u.latency_ms, error = u.error, next_attempt_at = u.next_attempt_at
   FROM unnest($1::uuid[], $2::text[], $3::int2[], $4::text[], $5::int[], $6::text[], $7::timestamptz[])
     AS u (attempt_id, state, response_code, response_snippet, latency_ms, error, next_attempt_at)
   WHERE a.attempt_id = u.attempt_id AND a.error IS DISTINCT FROM 'erased'`,
);
