// The SQL of messages with notices: which are due, their leases, contents and results.
import type { AttemptId, NoticeId, Uuid } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { RecipientKind } from './notice-settings.ts';
import type { NoticeChannel } from './plan-notice.rules.ts';

export type SendQueue = { recipientKind: RecipientKind; recipientKey: string; channel: NoticeChannel };

/** Looks at the oldest due messages only; the queues of others follow as soon as these are leased. */
export const dueSendQueues = statement<{ readonly now: Date }, SendQueue & { isBroken: false }>(
  'notices.due_queues',
  `SELECT DISTINCT recipient_kind AS "recipientKind", recipient_key AS "recipientKey", channel, false AS "isBroken"
   FROM (SELECT recipient_kind, recipient_key, channel FROM notice_send WHERE state = 'waiting' AND due_at <= $now
         ORDER BY due_at LIMIT 500) AS oldest`,
);

export type LeasedSend = SendQueue & {
  sendId: NoticeId;
  leaseId: AttemptId;
  isDigest: boolean;
  attempts: number;
  steps: number;
};

/** An attempt that a dead worker left without a result uses up a step. */
export const leaseSends = statement<
  {
    readonly leaseIds: readonly AttemptId[];
    readonly recipientKinds: readonly string[];
    readonly recipientKeys: readonly string[];
    readonly channels: readonly string[];
    readonly limits: readonly number[];
    readonly now: Date;
    readonly leasedUntil: Date;
  },
  LeasedSend
>(
  'notices.lease',
  `WITH due AS (
     SELECT j.send_id, j.lease_id AS lost, ($leaseIds::uuid[])[row_number() OVER ()] AS fresh
     FROM unnest($recipientKinds::text[], $recipientKeys::text[], $channels::text[], $limits::int[]) AS u (recipient_kind, recipient_key, channel, sends),
     LATERAL (SELECT send_id, lease_id FROM notice_send s
              WHERE s.recipient_kind = u.recipient_kind AND s.recipient_key = u.recipient_key AND s.channel = u.channel
                AND s.state = 'waiting' AND s.due_at <= $now
              ORDER BY s.due_at LIMIT u.sends FOR UPDATE SKIP LOCKED) AS j
   )
   UPDATE notice_send s SET due_at = $leasedUntil, attempts = s.attempts + 1, lease_id = due.fresh, steps = s.steps + (due.lost IS NOT NULL)::int
   FROM due WHERE s.send_id = due.send_id
   RETURNING s.send_id AS "sendId", s.lease_id AS "leaseId", s.recipient_kind AS "recipientKind", s.recipient_key AS "recipientKey",
             s.channel, s.is_digest AS "isDigest", s.attempts, s.steps`,
);

export type CarriedNotice = {
  sendId: NoticeId;
  noticeId: NoticeId;
  kind: string;
  data: unknown;
  attachmentKind: 'invoice' | 'statement' | 'receipt' | null;
  attachmentId: Uuid | null;
  raisedAt: Date;
};

/** What the messages carry, oldest first. A statement of its own after the lease: notices may have joined a digest until then. */
export const selectCarried = statement<{ readonly sendIds: readonly NoticeId[] }, CarriedNotice>(
  'notices.select_carried',
  `SELECT c.send_id AS "sendId", n.notice_id AS "noticeId", n.kind, n.data, n.attachment_kind AS "attachmentKind",
          n.attachment_id AS "attachmentId", n.raised_at AS "raisedAt"
   FROM notice_channel c JOIN notice n USING (notice_id) WHERE c.send_id = ANY($sendIds::uuid[]) ORDER BY n.notice_id`,
);

/** A message that was taken is sent, also if its lease has ended meanwhile; any other result counts for the holder of the lease only. */
export const endSends = statement<{
  readonly sendIds: readonly NoticeId[];
  readonly leaseIds: readonly AttemptId[];
  readonly states: readonly string[];
  readonly errors: ReadonlyArray<string | null>;
  readonly now: Date;
}>(
  'notices.end',
  `WITH ended AS (
     SELECT s.send_id, u.state, u.error
     FROM unnest($sendIds::uuid[], $leaseIds::uuid[], $states::text[], $errors::text[]) AS u (send_id, lease_id, state, error)
     JOIN notice_send s ON s.send_id = u.send_id AND (s.lease_id = u.lease_id OR u.state = 'sent')
     WHERE s.state <> 'sent' ORDER BY s.send_id FOR UPDATE OF s
   )
   UPDATE notice_send s SET state = ended.state, last_error = ended.error, lease_id = NULL, ended_at = $now
   FROM ended WHERE s.send_id = ended.send_id`,
);

/** Due again. `attempts` stays above 0 for good: a digest whose sending has begun takes no more notices. */
export const repeatSends = statement<{
  readonly sendIds: readonly NoticeId[];
  readonly leaseIds: readonly AttemptId[];
  readonly dueTimes: readonly Date[];
  readonly steps: readonly number[];
  readonly errors: ReadonlyArray<string | null>;
}>(
  'notices.repeat',
  `WITH again AS (
     SELECT s.send_id, u.due_at, u.steps, u.error
     FROM unnest($sendIds::uuid[], $leaseIds::uuid[], $dueTimes::timestamptz[], $steps::int[], $errors::text[])
       AS u (send_id, lease_id, due_at, steps, error)
     JOIN notice_send s ON s.send_id = u.send_id AND s.lease_id = u.lease_id ORDER BY s.send_id FOR UPDATE OF s
   )
   UPDATE notice_send s SET due_at = again.due_at, steps = again.steps,
          last_error = coalesce(again.error, s.last_error), lease_id = NULL
   FROM again WHERE s.send_id = again.send_id`,
);

/** For a process that has the database to itself: leases that it finds belong to one that died. */
export const takeOverSendsSql = statement<{ readonly now: Date }>(
  'notices.take_over',
  `UPDATE notice_send SET due_at = $now WHERE state = 'waiting' AND lease_id IS NOT NULL AND due_at > $now`,
);
