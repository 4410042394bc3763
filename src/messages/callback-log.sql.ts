// The SQL of what became of the messages to suppliers about their leads.
import { statement } from '../platform/database/database.ts';

/** What is not in the log is left alone: messages from before there was one. In the order of all who write here. */
export const updateCallbacks = statement(
  'messages.update_callbacks',
  `WITH known AS (
     SELECT c.lead_id, c.message_id, u.state, u.attempts, u.response_code, u.error
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::int2[], $6::text[])
       AS u (lead_id, message_id, state, attempts, response_code, error)
     JOIN callback_log c USING (lead_id, message_id) ORDER BY c.lead_id, c.message_id FOR UPDATE OF c
   )
   UPDATE callback_log c SET state = k.state, attempts = k.attempts, response_code = k.response_code, error = k.error, tried_at = $7
   FROM known k WHERE c.lead_id = k.lead_id AND c.message_id = k.message_id`,
);

/** For what is given up without another attempt, or comes back from there. */
export const moveCallbacks = statement(
  'messages.move_callbacks',
  `WITH known AS (
     SELECT c.lead_id, c.message_id FROM unnest($1::uuid[], $2::uuid[]) AS u (lead_id, message_id)
     JOIN callback_log c USING (lead_id, message_id) ORDER BY c.lead_id, c.message_id FOR UPDATE OF c
   )
   UPDATE callback_log c SET state = $3, error = coalesce($4, error)
   FROM known k WHERE c.lead_id = k.lead_id AND c.message_id = k.message_id`,
);

export const selectCallbacks = statement(
  'messages.select_callbacks',
  `SELECT message_id AS "messageId", type, state, attempts, response_code AS "responseCode", error, queued_at AS "queuedAt",
          tried_at AS "triedAt"
   FROM callback_log WHERE lead_id = $2 AND supplier_key = $1 ORDER BY message_id LIMIT $3`,
);

/** The oldest leads first. */
export const purgeCallbacksSql = statement(
  'messages.forget_callbacks',
  `WITH old AS (
     SELECT lead_id, message_id FROM callback_log WHERE lead_id < $1 ORDER BY lead_id LIMIT $2
   ), forgotten AS (
     DELETE FROM callback_log c USING old WHERE c.lead_id = old.lead_id AND c.message_id = old.message_id RETURNING 1
   )
   SELECT count(*) AS forgotten FROM forgotten`,
);
