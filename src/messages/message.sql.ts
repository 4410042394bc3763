// The SQL of messages to suppliers and partners. Their attempts stand in the log of a delivery where they are about one.
import { statement } from '../platform/database/database.ts';
import { firstOfEach } from '../platform/database/first-of-each.ts';

/** Of one endpoint queue: 80 a second where an endpoint answers within 100 ms. */
export const MESSAGES_AT_ONCE = 8;

export const insertMessages = statement(
  'messages.insert',
  `WITH logged AS (
     INSERT INTO callback_log (lead_id, message_id, supplier_key, type, state, queued_at)
     SELECT lead_id, message_id, owner_key, type, 'waiting', $8
     FROM unnest($10::uuid[], $1::uuid[], $3::text[], $5::text[]) AS c (lead_id, message_id, owner_key, type)
     WHERE lead_id IS NOT NULL
   )
   INSERT INTO message_job (message_id, owner_kind, owner_key, channel, type, data, delivery_id, occurred_at, due_at)
   SELECT message_id, owner_kind, owner_key, channel, type, data, delivery_id, $8, $9
   FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[])
     AS u (message_id, owner_kind, owner_key, channel, type, data, delivery_id)`,
);

/**
 * Endpoint queues that have a message due: one index probe each, however many messages wait. Those whose breaker is open only if the time
 * of the next attempt has come, or is further away ($2) than any probe is put off.
 */
export const dueQueuesSql = statement(
  'messages.due_queues',
  `WITH RECURSIVE oldest AS (${firstOfEach('oldest', 'message_job', ['owner_kind', 'owner_key', 'channel'], 'due_at')})
   SELECT l.owner_kind AS "ownerKind", l.owner_key AS "ownerKey", l.channel, h.opened_at IS NOT NULL AS "isBroken"
   FROM oldest l LEFT JOIN endpoint_health h
     ON h.owner_kind = l.owner_kind AND h.owner_key = l.owner_key AND h.channel = l.channel AND h.opened_at IS NOT NULL
   WHERE l.due_at <= $1 AND (h.next_probe_at IS NULL OR h.next_probe_at <= $1 OR h.next_probe_at > $2)`,
);

/**
 * Leases the oldest due messages of each endpoint queue, as many as are asked for, with their current targets. An attempt that a dead
 * worker left open has used up a step. The inner limit is for the planner, which would take the outer one for a tenth of all messages.
 */
export const claimMessages = statement(
  'messages.claim',
  `WITH due AS (
     SELECT j.message_id, j.lease_id AS lost_attempt, ($7::uuid[])[row_number() OVER ()] AS fresh
     FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) AS u (owner_kind, owner_key, channel, messages),
     LATERAL (SELECT * FROM (
                SELECT * FROM message_job m
                WHERE m.owner_kind = u.owner_kind AND m.owner_key = u.owner_key AND m.channel = u.channel AND m.due_at <= $5
                ORDER BY m.due_at LIMIT ${MESSAGES_AT_ONCE} FOR UPDATE SKIP LOCKED) AS oldest
              LIMIT u.messages) AS j
   ), lost AS (
     UPDATE attempt a SET state = 'failed', error = 'interrupted' FROM due
     WHERE a.attempt_id = due.lost_attempt AND a.state = 'scheduled'
   ), taken AS (
     UPDATE message_job m SET due_at = $6, attempts = m.attempts + 1, lease_id = due.fresh,
            steps = m.steps + (due.lost_attempt IS NOT NULL)::int
     FROM due WHERE m.message_id = due.message_id RETURNING m.*
   )
   SELECT t.message_id AS "messageId", t.owner_kind AS "ownerKind", t.owner_key AS "ownerKey", t.channel, t.type, t.data,
          t.delivery_id AS "deliveryId", t.occurred_at AS "occurredAt", t.attempts, t.steps, t.lease_id AS "leaseId",
          s.callback ->> 'url' AS "callbackUrl", b.channels, b.webhook_url AS "webhookUrl",
          b.endpoint_disabled_at IS NOT NULL AS "isDisabled", b.notification_email AS "notificationEmail",
          b.cc_emails AS "ccEmails", b.name, b.time_zone AS "timeZone", k.secret,
          CASE WHEN k.previous_valid_until > $5 THEN k.previous_secret END AS "previousSecret"
   FROM taken t
   LEFT JOIN supplier s ON t.owner_kind = 'supplier' AND s.supplier_key = t.owner_key
   LEFT JOIN buyer b ON t.owner_kind = 'buyer' AND b.buyer_key = t.owner_key
   LEFT JOIN signing_secret k ON k.owner_kind = t.owner_kind AND k.owner_key = t.owner_key
   ORDER BY t.lease_id`,
);

/** Which of these leases still hold their message. */
export const heldLeases = statement(
  'messages.held_leases',
  `SELECT m.lease_id AS "leaseId" FROM unnest($1::uuid[], $2::uuid[]) AS u (message_id, lease_id)
   JOIN message_job m ON m.message_id = u.message_id AND m.lease_id = u.lease_id
   ORDER BY m.message_id FOR UPDATE OF m`,
);

/** In one order, because a late success takes away a message that another worker may hold. */
export const deleteMessages = statement(
  'messages.delete',
  `WITH done AS (SELECT message_id FROM message_job WHERE message_id = ANY($1::uuid[]) ORDER BY message_id FOR UPDATE)
   DELETE FROM message_job m USING done WHERE m.message_id = done.message_id`,
);

/** Only the lease holder may say when there is another attempt. */
export const rescheduleMessages = statement(
  'messages.reschedule',
  `UPDATE message_job m SET due_at = u.due_at, steps = u.steps, last_error = u.last_error, lease_id = NULL
   FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::text[]) AS u (message_id, lease_id, due_at, steps, last_error)
   WHERE m.message_id = u.message_id AND m.lease_id = u.lease_id`,
);

/** As if they had not been leased: for attempts that turned out not to be made. */
export const deferMessages = statement(
  'messages.defer',
  `WITH unmade AS (DELETE FROM attempt WHERE attempt_id = ANY($2::uuid[]))
   UPDATE message_job m SET due_at = u.due_at, attempts = m.attempts - 1, lease_id = NULL
   FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS u (message_id, lease_id, due_at)
   WHERE m.message_id = u.message_id AND m.lease_id = u.lease_id`,
);

/** Under the same id, so that a receiver that has the message after all recognizes it. */
export const requeueMessageSql = statement(
  'messages.requeue',
  `INSERT INTO message_job (message_id, owner_kind, owner_key, channel, type, data, delivery_id, occurred_at, due_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** The attempts stay open: the next claim of the message closes them. */
export const takeOverLeasesSql = statement(
  'messages.take_over_leases',
  `UPDATE message_job SET due_at = $1 WHERE lease_id IS NOT NULL AND due_at > $1 RETURNING message_id AS "messageId"`,
);

/** About these deliveries, or to suppliers and naming one of these leads ($2, as they stand in the data). In the order of all locks. */
export const lockMessagesAbout = statement(
  'messages.lock_about',
  `SELECT message_id AS "messageId", data FROM message_job m
   WHERE m.delivery_id = ANY($1::uuid[])
     OR (m.owner_kind = 'supplier' AND EXISTS (SELECT FROM unnest($2::text[]) AS u (name) WHERE strpos(m.data, u.name) > 0))
   ORDER BY message_id FOR UPDATE`,
);

export const rewriteMessagesSql = statement(
  'messages.rewrite',
  `UPDATE message_job m SET data = u.data FROM unnest($1::uuid[], $2::text[]) AS u (message_id, data)
   WHERE m.message_id = u.message_id`,
);

/** Due since before $1 and not sent, because the endpoint is away. */
export const takeOverdue = statement(
  'messages.take_overdue',
  `DELETE FROM message_job WHERE message_id IN (
     SELECT message_id FROM message_job WHERE due_at < $1 AND lease_id IS NULL ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING message_id AS "messageId", owner_kind AS "ownerKind", owner_key AS "ownerKey", channel, type, data,
             delivery_id AS "deliveryId", occurred_at AS "occurredAt", attempts`,
);

/** The oldest of an endpoint queue is due at once. */
export const expediteOldest = statement(
  'messages.expedite_oldest',
  `WITH oldest AS (
     SELECT message_id FROM message_job WHERE owner_kind = $1 AND owner_key = $2 AND channel = $3 AND lease_id IS NULL
     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
   )
   UPDATE message_job m SET due_at = least(m.due_at, $4) FROM oldest WHERE m.message_id = oldest.message_id
   RETURNING m.message_id AS "messageId"`,
);
