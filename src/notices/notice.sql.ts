// The SQL of notices.
import type { NoticeId, Uuid } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';

/** Does nothing for an occurrence that the recipient has a notice about. In the order of the unique key, so that two writers do not deadlock. */
export const insertNotices = statement<{
  readonly noticeIds: readonly NoticeId[];
  readonly kinds: readonly string[];
  readonly recipientKinds: readonly string[];
  readonly recipientKeys: readonly string[];
  readonly occurrences: readonly string[];
  readonly data: readonly string[];
  readonly attachmentKinds: ReadonlyArray<string | null>;
  readonly attachmentIds: ReadonlyArray<Uuid | null>;
  readonly now: Date;
}>(
  'notices.insert',
  `INSERT INTO notice (notice_id, kind, recipient_kind, recipient_key, occurrence, data, attachment_kind, attachment_id, raised_at)
   SELECT notice_id, kind, recipient_kind, recipient_key, occurrence, data, attachment_kind, attachment_id, $now
   FROM unnest($noticeIds::uuid[], $kinds::text[], $recipientKinds::text[], $recipientKeys::text[], $occurrences::text[], $data::jsonb[],
               $attachmentKinds::text[], $attachmentIds::uuid[])
     AS u (notice_id, kind, recipient_kind, recipient_key, occurrence, data, attachment_kind, attachment_id)
   ORDER BY recipient_kind, recipient_key, occurrence
   ON CONFLICT ON CONSTRAINT notice_once DO NOTHING`,
);

/** Returns the subjects of which the condition did not hold before. */
export const beginConditionsSql = statement<
  { readonly kind: string; readonly subjects: readonly string[]; readonly now: Date },
  { subject: string }
>(
  'notices.begin_conditions',
  `INSERT INTO notice_watch (kind, subject, since) SELECT $kind, subject, $now FROM unnest($subjects::text[]) AS u (subject) ORDER BY subject
   ON CONFLICT DO NOTHING RETURNING subject`,
);

export const endConditionsSql = statement<{ readonly kind: string; readonly subjects: readonly string[] }>(
  'notices.end_conditions',
  `DELETE FROM notice_watch WHERE kind = $kind AND subject = ANY($subjects::text[])`,
);

export type NoticeRow = {
  noticeId: NoticeId;
  kind: string;
  recipientKind: 'operator' | 'buyer' | 'supplier';
  recipientKey: string;
  data: unknown;
  raisedAt: Date;
  state: 'raised' | 'planned' | 'off' | 'no_channel';
  sends: ReadonlyArray<{
    channel: string;
    state: 'waiting' | 'sent' | 'failed' | 'dropped';
    isDigest: boolean;
    /** ISO 8601, like `endedAt`. */
    dueAt: string;
    endedAt: string | null;
    attempts: number;
    error: string | null;
  }>;
};

/** Newest first. Null conditions hold for all; `state` is one of the notice, or of a message that carries it. */
export const selectNotices = statement<
  {
    readonly recipientKind: string | null;
    readonly recipientKey: string | null;
    readonly kind: string | null;
    readonly state: string | null;
    readonly before: Uuid;
    readonly limit: number;
  },
  NoticeRow
>(
  'notices.select',
  `SELECT n.notice_id AS "noticeId", n.kind, n.recipient_kind AS "recipientKind", n.recipient_key AS "recipientKey", n.data,
          n.raised_at AS "raisedAt", n.state,
          coalesce((SELECT jsonb_agg(jsonb_build_object('channel', s.channel, 'state', s.state, 'isDigest', s.is_digest,
              'dueAt', to_char(s.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'endedAt', to_char(s.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'attempts', s.attempts, 'error', s.last_error) ORDER BY s.channel)
            FROM notice_channel c JOIN notice_send s USING (send_id) WHERE c.notice_id = n.notice_id), '[]') AS sends
   FROM notice n
   WHERE n.notice_id < $before AND ($recipientKind::text IS NULL OR n.recipient_kind = $recipientKind)
     AND ($recipientKey::text IS NULL OR n.recipient_key = $recipientKey) AND ($kind::text IS NULL OR n.kind = $kind)
     AND ($state::text IS NULL OR n.state = $state OR EXISTS (
       SELECT FROM notice_channel c JOIN notice_send s USING (send_id) WHERE c.notice_id = n.notice_id AND s.state = $state))
   ORDER BY n.notice_id DESC LIMIT $limit`,
);

/** One that found no channel, or was switched off, is planned again; messages that have ended are due again. */
export const resendSql = statement<{ readonly noticeId: NoticeId; readonly now: Date }, { noticeId: NoticeId }>(
  'notices.resend',
  `WITH known AS (SELECT notice_id, state FROM notice WHERE notice_id = $noticeId FOR UPDATE),
   again AS (UPDATE notice n SET state = 'raised' FROM known k WHERE n.notice_id = k.notice_id AND k.state IN ('off', 'no_channel')),
   sends AS (
     UPDATE notice_send s SET state = 'waiting', due_at = $now, steps = 0, last_error = NULL, ended_at = NULL
     FROM notice_channel c, known k WHERE c.notice_id = k.notice_id AND s.send_id = c.send_id AND s.state <> 'waiting')
   SELECT notice_id AS "noticeId" FROM known`,
);
