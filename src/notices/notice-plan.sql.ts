// The SQL that gives raised notices their messages.
import type { NoticeId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { RecipientKind } from './notice-settings.ts';

/** The oldest ones that nobody else is planning. */
export const lockRaised = statement<
  { readonly limit: number },
  { noticeId: NoticeId; kind: string; recipientKind: RecipientKind; recipientKey: string }
>(
  'notices.lock_raised',
  `SELECT notice_id AS "noticeId", kind, recipient_kind AS "recipientKind", recipient_key AS "recipientKey"
   FROM notice WHERE state = 'raised' ORDER BY notice_id LIMIT $limit FOR UPDATE SKIP LOCKED`,
);

export const hasRaised = statement<void, { isDue: boolean }>(
  'notices.has_raised',
  `SELECT EXISTS (SELECT FROM notice WHERE state = 'raised') AS "isDue"`,
);

/**
 * A digest that is not being sent yet is joined, and locked until the transaction ends, so that its sender sees what is added. Returns ids in
 * the order of the input, which has no digest twice.
 */
export const insertSends = statement<
  {
    readonly sendIds: readonly NoticeId[];
    readonly recipientKinds: readonly string[];
    readonly recipientKeys: readonly string[];
    readonly channels: readonly string[];
    readonly digests: readonly boolean[];
    readonly dueTimes: readonly Date[];
  },
  {
    sendId: NoticeId;
    recipientKind: RecipientKind;
    recipientKey: string;
    channel: string;
    isDigest: boolean;
    dueAt: Date;
  }
>(
  'notices.insert_sends',
  `INSERT INTO notice_send (send_id, recipient_kind, recipient_key, channel, is_digest, due_at)
   SELECT send_id, recipient_kind, recipient_key, channel, is_digest, due_at
   FROM unnest($sendIds::uuid[], $recipientKinds::text[], $recipientKeys::text[], $channels::text[], $digests::bool[], $dueTimes::timestamptz[])
     AS u (send_id, recipient_kind, recipient_key, channel, is_digest, due_at)
   ORDER BY recipient_kind, recipient_key, channel, due_at
   ON CONFLICT (recipient_kind, recipient_key, channel, due_at) WHERE is_digest AND state = 'waiting' AND attempts = 0
     DO UPDATE SET state = 'waiting'
   RETURNING send_id AS "sendId", recipient_kind AS "recipientKind", recipient_key AS "recipientKey", channel,
             is_digest AS "isDigest", due_at AS "dueAt"`,
);

export const insertChannels = statement<{
  readonly noticeIds: readonly NoticeId[];
  readonly channels: readonly string[];
  readonly sendIds: readonly NoticeId[];
}>(
  'notices.insert_channels',
  `INSERT INTO notice_channel (notice_id, channel, send_id)
   SELECT * FROM unnest($noticeIds::uuid[], $channels::text[], $sendIds::uuid[]) AS u (notice_id, channel, send_id)`,
);

export const setPlanned = statement<{ readonly noticeIds: readonly NoticeId[]; readonly states: readonly string[] }>(
  'notices.set_planned',
  `UPDATE notice n SET state = u.state FROM unnest($noticeIds::uuid[], $states::text[]) AS u (notice_id, state)
   WHERE n.notice_id = u.notice_id`,
);
