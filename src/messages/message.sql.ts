// The SQL of messages to suppliers and partners. Attempts at a message about a delivery are in the log of that delivery.
import type { AttemptId, DeliveryId, LeadId, Uuid } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import { firstOfEach } from '../platform/database/loose-index-scan.ts';
import type { JobState } from '../platform/outbound/retry.rules.ts';
import type { OwnerSettings } from './message-target.rules.ts';
import type { DueQueue, StartedMessage } from './message.ts';

/** Per endpoint queue: 80 a second if an endpoint responds within 100 ms. */
export const MESSAGES_AT_ONCE = 8;

export const insertMessages = statement<{
  readonly leadIds: ReadonlyArray<LeadId | null>;
  readonly messageIds: readonly Uuid[];
  readonly ownerKinds: readonly string[];
  readonly ownerKeys: readonly string[];
  readonly channels: readonly string[];
  readonly types: readonly string[];
  readonly data: readonly string[];
  readonly deliveryIds: ReadonlyArray<DeliveryId | null>;
  readonly now: Date;
  readonly dueAt: Date;
}>(
  'messages.insert',
  `WITH logged AS (
     INSERT INTO callback_log (lead_id, message_id, supplier_key, type, state, queued_at)
     SELECT lead_id, message_id, owner_key, type, 'waiting', $now
     FROM unnest($leadIds::uuid[], $messageIds::uuid[], $ownerKeys::text[], $types::text[]) AS c (lead_id, message_id, owner_key, type)
     WHERE lead_id IS NOT NULL
   )
   INSERT INTO message_job (message_id, owner_kind, owner_key, channel, type, data, delivery_id, occurred_at, due_at)
   SELECT message_id, owner_kind, owner_key, channel, type, data, delivery_id, $now, $dueAt
   FROM unnest($messageIds::uuid[], $ownerKinds::text[], $ownerKeys::text[], $channels::text[], $types::text[], $data::text[], $deliveryIds::uuid[])
     AS u (message_id, owner_kind, owner_key, channel, type, data, delivery_id)`,
);

/**
 * Endpoint queues with a due message: one index probe each, however many messages wait. A queue whose breaker is open is included only if
 * its next probe is due, or later than any probe is scheduled ($latestProbe).
 */
export const dueQueuesSql = statement<{ readonly now: Date; readonly latestProbe: Date }, DueQueue>(
  'messages.due_queues',
  `WITH RECURSIVE oldest AS (${firstOfEach('oldest', 'message_job', ['owner_kind', 'owner_key', 'channel'], 'due_at')})
   SELECT l.owner_kind AS "ownerKind", l.owner_key AS "ownerKey", l.channel, h.opened_at IS NOT NULL AS "isBroken"
   FROM oldest l LEFT JOIN endpoint_health h
     ON h.owner_kind = l.owner_kind AND h.owner_key = l.owner_key AND h.channel = l.channel AND h.opened_at IS NOT NULL
   WHERE l.due_at <= $now AND (h.next_probe_at IS NULL OR h.next_probe_at <= $now OR h.next_probe_at > $latestProbe)`,
);

export type ClaimedMessage = Omit<StartedMessage, 'job' | 'target' | 'startedAt'> &
  OwnerSettings &
  Pick<JobState, 'attempts' | 'steps'> & {
    /** Of the attempt before, if it ended without a result. */
    lostLeaseId: AttemptId | null;
  };

/**
 * Leases up to the given number of the oldest due messages of each endpoint queue, with their current targets. An attempt that a dead worker
 * left without a result uses up a step. The inner limit is for the planner, which would estimate the outer one at a tenth of all messages.
 */
export const claimMessages = statement<
  {
    readonly leaseIds: readonly AttemptId[];
    readonly ownerKinds: readonly string[];
    readonly ownerKeys: readonly string[];
    readonly channels: readonly string[];
    readonly limits: readonly number[];
    readonly now: Date;
    readonly leasedUntil: Date;
  },
  ClaimedMessage
>(
  'messages.claim',
  `WITH due AS (
     SELECT j.message_id, j.lease_id AS lost_lease, ($leaseIds::uuid[])[row_number() OVER ()] AS fresh
     FROM unnest($ownerKinds::text[], $ownerKeys::text[], $channels::text[], $limits::int[]) AS u (owner_kind, owner_key, channel, messages),
     LATERAL (SELECT * FROM (
                SELECT * FROM message_job m
                WHERE m.owner_kind = u.owner_kind AND m.owner_key = u.owner_key AND m.channel = u.channel AND m.due_at <= $now
                ORDER BY m.due_at LIMIT ${MESSAGES_AT_ONCE} FOR UPDATE SKIP LOCKED) AS oldest
              LIMIT u.messages) AS j
   ), taken AS (
     UPDATE message_job m SET due_at = $leasedUntil, attempts = m.attempts + 1, lease_id = due.fresh,
            steps = m.steps + (due.lost_lease IS NOT NULL)::int
     FROM due WHERE m.message_id = due.message_id RETURNING m.*, due.lost_lease
   )
   SELECT t.message_id AS "messageId", t.owner_kind AS "ownerKind", t.owner_key AS "ownerKey", t.channel, t.type, t.data,
          t.delivery_id AS "deliveryId", t.occurred_at AS "occurredAt", t.attempts, t.steps, t.lease_id AS "leaseId",
          t.lost_lease AS "lostLeaseId",
          s.callback ->> 'url' AS "callbackUrl", b.channels, b.webhook_url AS "webhookUrl",
          b.endpoint_disabled_at IS NOT NULL AS "isDisabled", b.notification_email AS "notificationEmail",
          b.cc_emails AS "ccEmails", b.name, b.time_zone AS "timeZone", k.secret,
          CASE WHEN k.previous_valid_until > $now THEN k.previous_secret END AS "previousSecret"
   FROM taken t
   LEFT JOIN supplier s ON t.owner_kind = 'supplier' AND s.supplier_key = t.owner_key
   LEFT JOIN buyer b ON t.owner_kind = 'buyer' AND b.buyer_key = t.owner_key
   LEFT JOIN signing_secret k ON k.owner_kind = t.owner_kind AND k.owner_key = t.owner_key
   ORDER BY t.lease_id`,
);

/** Which of these leases still hold their message. */
export const heldLeases = statement<
  { readonly messageIds: readonly Uuid[]; readonly leaseIds: readonly AttemptId[] },
  { leaseId: AttemptId }
>(
  'messages.held_leases',
  `SELECT m.lease_id AS "leaseId" FROM unnest($messageIds::uuid[], $leaseIds::uuid[]) AS u (message_id, lease_id)
   JOIN message_job m ON m.message_id = u.message_id AND m.lease_id = u.lease_id
   ORDER BY m.message_id FOR UPDATE OF m`,
);

/**
 * Returns attempts of other workers at these messages: they may never finish, but their results may still be logged. Locks in one order,
 * because a late success deletes a message that another worker may hold.
 */
export const deleteMessages = statement<
  { readonly messageIds: readonly Uuid[]; readonly leaseIds: readonly AttemptId[] },
  { messageId: Uuid; leaseId: AttemptId; number: number }
>(
  'messages.delete',
  `WITH done AS (
     SELECT m.message_id, u.lease_id FROM unnest($messageIds::uuid[], $leaseIds::uuid[]) AS u (message_id, lease_id)
     JOIN message_job m ON m.message_id = u.message_id ORDER BY m.message_id FOR UPDATE OF m
   ), over AS (
     DELETE FROM message_job m USING done WHERE m.message_id = done.message_id
     RETURNING m.message_id, m.lease_id, m.attempts, done.lease_id AS own
   )
   SELECT message_id AS "messageId", lease_id AS "leaseId", attempts AS number FROM over WHERE lease_id <> own`,
);

/** Only the lease holder may reschedule a message. */
export const rescheduleMessages = statement<{
  readonly messageIds: readonly Uuid[];
  readonly leaseIds: readonly AttemptId[];
  readonly dueTimes: readonly Date[];
  readonly steps: readonly number[];
  readonly lastErrors: readonly string[];
}>(
  'messages.reschedule',
  `UPDATE message_job m SET due_at = u.due_at, steps = u.steps, last_error = u.last_error, lease_id = NULL
   FROM unnest($messageIds::uuid[], $leaseIds::uuid[], $dueTimes::timestamptz[], $steps::int[], $lastErrors::text[]) AS u (message_id, lease_id, due_at, steps, last_error)
   WHERE m.message_id = u.message_id AND m.lease_id = u.lease_id`,
);

/** Undoes the lease of messages whose attempts were not made. */
export const deferMessages = statement<{
  readonly messageIds: readonly Uuid[];
  readonly leaseIds: readonly AttemptId[];
  readonly dueTimes: readonly Date[];
}>(
  'messages.defer',
  `UPDATE message_job m SET due_at = u.due_at, attempts = m.attempts - 1, lease_id = NULL
   FROM unnest($messageIds::uuid[], $leaseIds::uuid[], $dueTimes::timestamptz[]) AS u (message_id, lease_id, due_at)
   WHERE m.message_id = u.message_id AND m.lease_id = u.lease_id`,
);

/** Keeps the id, so that a receiver that has received the message before recognizes it. */
export const requeueMessageSql = statement<{
  readonly messageId: Uuid;
  readonly ownerKind: string;
  readonly ownerKey: string;
  readonly channel: string;
  readonly type: string;
  readonly data: string;
  readonly deliveryId: DeliveryId | null;
  readonly occurredAt: Date;
  readonly dueAt: Date;
}>(
  'messages.requeue',
  `INSERT INTO message_job (message_id, owner_kind, owner_key, channel, type, data, delivery_id, occurred_at, due_at)
   VALUES ($messageId, $ownerKind, $ownerKey, $channel, $type, $data, $deliveryId, $occurredAt, $dueAt)`,
);

/** The next claim of the message logs the attempts as interrupted. */
export const takeOverLeasesSql = statement<{ readonly now: Date }>(
  'messages.take_over_leases',
  `UPDATE message_job SET due_at = $now WHERE lease_id IS NOT NULL AND due_at > $now RETURNING message_id AS "messageId"`,
);

/** Messages about these deliveries, and messages to suppliers whose data names one of these leads (by TypeID). Locks in the usual order. */
export const lockMessagesAbout = statement<
  { readonly deliveryIds: readonly DeliveryId[]; readonly leadTypeIds: readonly string[] },
  { messageId: Uuid; data: string }
>(
  'messages.lock_about',
  `SELECT message_id AS "messageId", data FROM message_job m
   WHERE m.delivery_id = ANY($deliveryIds::uuid[])
     OR (m.owner_kind = 'supplier' AND EXISTS (SELECT FROM unnest($leadTypeIds::text[]) AS u (name) WHERE strpos(m.data, u.name) > 0))
   ORDER BY message_id FOR UPDATE`,
);

export const rewriteMessagesSql = statement<{ readonly messageIds: Buffer; readonly data: Buffer }>(
  'messages.rewrite',
  `UPDATE message_job m SET data = u.data FROM unnest($messageIds::uuid[], $data::text[]) AS u (message_id, data)
   WHERE m.message_id = u.message_id`,
);

type OverdueMessage = {
  messageId: Uuid;
  ownerKind: 'supplier' | 'buyer';
  ownerKey: string;
  channel: 'webhook' | 'email';
  type: string;
  data: string;
  deliveryId: DeliveryId | null;
  occurredAt: Date;
  attempts: number;
};

/** Messages due since before $dueBefore and not sent, because the endpoint is unavailable. */
export const takeOverdue = statement<{ readonly dueBefore: Date; readonly limit: number }, OverdueMessage>(
  'messages.take_overdue',
  `DELETE FROM message_job WHERE message_id IN (
     SELECT message_id FROM message_job WHERE due_at < $dueBefore AND lease_id IS NULL ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED)
   RETURNING message_id AS "messageId", owner_kind AS "ownerKind", owner_key AS "ownerKey", channel, type, data,
             delivery_id AS "deliveryId", occurred_at AS "occurredAt", attempts`,
);

/** Makes the oldest waiting message of an endpoint queue due at once. */
export const expediteOldest = statement<{
  readonly ownerKind: string;
  readonly ownerKey: string;
  readonly channel: string;
  readonly dueAt: Date;
}>(
  'messages.expedite_oldest',
  `WITH oldest AS (
     SELECT message_id FROM message_job WHERE owner_kind = $ownerKind AND owner_key = $ownerKey AND channel = $channel AND lease_id IS NULL
     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
   )
   UPDATE message_job m SET due_at = least(m.due_at, $dueAt) FROM oldest WHERE m.message_id = oldest.message_id
   RETURNING m.message_id AS "messageId"`,
);
