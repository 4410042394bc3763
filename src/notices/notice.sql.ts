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
