// The SQL of send jobs and attempts.
import { statement } from '../platform/database/database.ts';
import { deliveryViewColumns } from './delivery.sql.ts';
import { PLACES_PER_BUYER } from './share-places.rules.ts';

/** Buyers that have a job due: one index probe each, however many jobs wait. */
export const dueBuyers = statement(
  'sending.due_buyers',
  `WITH RECURSIVE b AS (
     (SELECT buyer_key FROM send_job ORDER BY buyer_key LIMIT 1)
     UNION ALL
     SELECT (SELECT s.buyer_key FROM send_job s WHERE s.buyer_key > b.buyer_key ORDER BY s.buyer_key LIMIT 1)
     FROM b WHERE b.buyer_key IS NOT NULL
   )
   SELECT b.buyer_key AS "buyerKey" FROM b
   WHERE b.buyer_key IS NOT NULL
     AND (SELECT s.due_at FROM send_job s WHERE s.buyer_key = b.buyer_key ORDER BY s.due_at LIMIT 1) <= $1`,
);

/**
 * Leases the oldest due jobs of each buyer, up to that buyer's free places. An attempt that a dead worker left open is closed
 * as failed and has used up a step; whether the buyer got it stays unknown, because it is counted as uncertain until an answer says
 * otherwise. The inner limit is for the planner, which would take the outer one for a tenth of all jobs and read whole tables; rows
 * are locked one by one as the outer one asks for them, and no more than it asks for.
 */
export const claimJobs = statement(
  'sending.claim',
  `WITH due AS (
     SELECT j.delivery_id, j.channel, j.attempt_id AS lost_attempt, ($5::uuid[])[row_number() OVER ()] AS fresh
     FROM unnest($1::text[], $2::int[]) AS u (buyer_key, places),
     LATERAL (SELECT * FROM (
                SELECT * FROM send_job s WHERE s.buyer_key = u.buyer_key AND s.due_at <= $3
                ORDER BY s.due_at LIMIT ${PLACES_PER_BUYER} FOR UPDATE SKIP LOCKED) AS oldest
              LIMIT u.places) AS j
   ), lost AS (
     UPDATE attempt a SET state = 'failed', error = 'interrupted' FROM due
     WHERE a.attempt_id = due.lost_attempt AND a.state = 'scheduled'
   ), taken AS (
     UPDATE send_job s SET due_at = $4, attempts = s.attempts + 1, uncertain = s.uncertain + 1, attempt_id = due.fresh,
            steps = s.steps + (due.lost_attempt IS NOT NULL)::int
     FROM due WHERE s.delivery_id = due.delivery_id AND s.channel = due.channel
     RETURNING s.delivery_id, s.channel, s.buyer_key, s.attempts, s.steps, s.uncertain, s.attempt_id
   )
   SELECT t.attempt_id AS "attemptId", t.channel, t.attempts, t.steps, t.uncertain, t.buyer_key AS "buyerKey",
          b.webhook_url AS "webhookUrl", b.endpoint_disabled_at IS NOT NULL AS "isDisabled",
          b.return_policy AS "returnPolicy", b.time_zone AS "timeZone", s.secret,
          CASE WHEN s.previous_valid_until > $3 THEN s.previous_secret END AS "previousSecret", ${deliveryViewColumns}
   FROM taken t JOIN delivery d USING (delivery_id) JOIN lead l ON l.lead_id = d.lead_id JOIN buyer b ON b.buyer_key = t.buyer_key
   LEFT JOIN signing_secret s ON s.owner_kind = 'buyer' AND s.owner_key = t.buyer_key`,
);

export const insertAttempts = statement(
  'sending.insert_attempts',
  `INSERT INTO attempt (attempt_id, delivery_id, buyer_key, channel, target, attempt, state, is_test, at)
   SELECT attempt_id, delivery_id, buyer_key, channel, target, attempt, 'scheduled', false, $7
   FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int[])
     AS u (attempt_id, delivery_id, buyer_key, channel, target, attempt)`,
);

export const finishAttempts = statement(
  'sending.finish_attempts',
  `UPDATE attempt a SET state = u.state, response_code = u.response_code, response_snippet = u.response_snippet,
          latency_ms = u.latency_ms, error = u.error, next_attempt_at = u.next_attempt_at
   FROM unnest($1::uuid[], $2::text[], $3::int2[], $4::text[], $5::int[], $6::text[], $7::timestamptz[])
     AS u (attempt_id, state, response_code, response_snippet, latency_ms, error, next_attempt_at)
   WHERE a.attempt_id = u.attempt_id`,
);

export const deleteJobs = statement('sending.delete_jobs', 'DELETE FROM send_job WHERE delivery_id = ANY($1::uuid[])');

/** Only the holder of the lease may say when the job runs again. */
export const rescheduleJobs = statement(
  'sending.reschedule',
  `UPDATE send_job s SET due_at = u.due_at, steps = u.steps, uncertain = u.uncertain, attempt_id = NULL
   FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[], $5::int[], $6::int[])
     AS u (delivery_id, channel, attempt_id, due_at, steps, uncertain)
   WHERE s.delivery_id = u.delivery_id AND s.channel = u.channel AND s.attempt_id = u.attempt_id`,
);

/** The attempts stay open: whoever claims the job next closes them, and their receipt stays uncertain. */
export const takeOverLeases = statement(
  'sending.take_over_leases',
  `UPDATE send_job SET due_at = $1 WHERE attempt_id IS NOT NULL AND due_at > $1 RETURNING delivery_id AS "deliveryId"`,
);

/** Which of these attempts still hold the lease of their job. */
export const heldLeases = statement(
  'sending.held_leases',
  `SELECT s.attempt_id AS "attemptId"
   FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS u (delivery_id, channel, attempt_id)
   JOIN send_job s ON s.delivery_id = u.delivery_id AND s.channel = u.channel AND s.attempt_id = u.attempt_id
   ORDER BY s.delivery_id, s.channel FOR UPDATE OF s`,
);

const ATTEMPT = `a.attempt_id AS "attemptId", a.delivery_id AS "deliveryId", a.channel, a.target, a.attempt, a.state,
  a.response_code AS "responseCode", a.response_snippet AS "responseSnippet", a.latency_ms AS "latencyMs", a.error,
  a.is_test AS "isTest", a.at, a.next_attempt_at AS "nextAttemptAt"`;

export const attemptsOfLead = statement(
  'sending.attempts_of_lead',
  `SELECT ${ATTEMPT}, a.buyer_key AS "buyerKey" FROM attempt a JOIN delivery d USING (delivery_id)
   WHERE d.lead_id = $1 ORDER BY a.at, a.attempt_id`,
);
