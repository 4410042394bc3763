// The SQL of erasing leads that were delivered, and of forgetting old attempts.
import { statement } from '../../platform/database/database.ts';

/** In the order in which workers write down results. Whoever sends one of them has to wait. */
export const lockSendings = statement(
  'erasure.lock_sendings',
  `SELECT s.delivery_id FROM delivery d JOIN send_job s USING (delivery_id) WHERE d.lead_id = ANY($1::uuid[])
   ORDER BY s.delivery_id, s.channel FOR UPDATE OF s`,
);

export const lockDeliveriesOfLeads = statement(
  'erasure.lock_deliveries',
  `SELECT delivery_id AS "deliveryId", lead_id AS "leadId", buyer_key AS "buyerKey", ref_number AS "refNumber",
          event_type AS "eventType", status
   FROM delivery WHERE lead_id = ANY($1::uuid[]) ORDER BY delivery_id FOR UPDATE`,
);

/** Also those that a confirmation has made a moment ago. */
export const dropSendings = statement(
  'erasure.drop_sendings',
  `DELETE FROM send_job WHERE delivery_id = ANY($1::uuid[]) RETURNING delivery_id AS "deliveryId", purpose, uncertain`,
);

/** What is known at the first erasure stays at every later one. */
export const keepConsents = statement(
  'erasure.keep_consents',
  `UPDATE delivery d SET erased_consent = u.consent FROM unnest($1::uuid[], $2::text[]) AS u (lead_id, consent)
   WHERE d.lead_id = u.lead_id AND d.delivery_id = ANY($3::uuid[])`,
);

/** An attempt under way is closed, and marked for its own result to be left unwritten: the answer may quote what was sent. */
export const eraseAttempts = statement(
  'erasure.attempts',
  `UPDATE attempt SET response_snippet = NULL, state = CASE WHEN state = 'scheduled' THEN 'failed' ELSE state END,
          error = CASE WHEN state = 'scheduled' THEN 'erased' ELSE error END
   WHERE delivery_id = ANY($1::uuid[])`,
);

/** Of some attempts in the order of their ids. */
export const forgetSnippets = statement(
  'erasure.forget_snippets',
  `WITH part AS (
     SELECT attempt_id FROM attempt WHERE attempt_id > $1 AND attempt_id < $2 ORDER BY attempt_id LIMIT $3
   ), forgotten AS (
     UPDATE attempt a SET response_snippet = NULL FROM part
     WHERE a.attempt_id = part.attempt_id AND a.response_snippet IS NOT NULL RETURNING 1
   )
   SELECT (SELECT attempt_id FROM part ORDER BY attempt_id DESC LIMIT 1) AS "lastId", (SELECT count(*) FROM forgotten) AS forgotten`,
);

/** The oldest, as far as they come before $1. At most $2. */
export const forgetAttempts = statement(
  'erasure.forget_attempts',
  `WITH old AS (SELECT attempt_id FROM attempt WHERE attempt_id < $1 ORDER BY attempt_id LIMIT $2),
   forgotten AS (DELETE FROM attempt a USING old WHERE a.attempt_id = old.attempt_id RETURNING 1)
   SELECT count(*) AS forgotten FROM forgotten`,
);

/** The places in counters that deliveries from before $1 (and $2, the first id of that time) may still give back. */
export const oldPendingSlots = statement(
  'erasure.old_pending_slots',
  `SELECT d.offer_key AS "offerKey", d.cap_windows AS "capWindows" FROM send_job s JOIN delivery d USING (delivery_id)
   WHERE s.purpose = 'sale' AND s.delivery_id < $2 AND d.status = 'Pending' AND d.delivered_at < $1`,
);
