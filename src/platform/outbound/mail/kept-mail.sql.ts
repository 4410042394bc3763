// The SQL of mail that is kept instead of sent.
import { statement } from '../../database/database.ts';
import type { MailId, Uuid } from '../../../base/ids.ts';

export type KeptMail = Omit<KeptMailHead, 'hasCalendar'> & {
  /** As in the header, with angle brackets. */
  readonly messageId: string;
  readonly from: string;
  readonly text: string;
  readonly html: string;
  readonly calendar: string | null;
};

export type KeptMailHead = {
  readonly mailId: MailId;
  readonly at: Date;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly hasCalendar: boolean;
};

export const insertKeptMail = statement<{
  readonly mailId: MailId;
  readonly now: Date;
  readonly messageId: string;
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly textBody: string;
  readonly htmlBody: string;
  readonly calendar: string | null;
}>(
  'kept_mail.insert',
  `INSERT INTO kept_mail (mail_id, at, message_id, sender, recipients, cc, subject, text_body, html_body, calendar)
   VALUES ($mailId, $now, $messageId, $sender, $recipients, $cc, $subject, $textBody, $htmlBody, $calendar)`,
);

/** Newest first by id, which is the order of insertion even when times are equal. */
export const selectKeptMails = statement<
  { readonly address: string | null; readonly after: Uuid; readonly limit: number },
  KeptMailHead
>(
  'kept_mail.list',
  `SELECT mail_id AS "mailId", at, recipients AS "to", cc, subject, calendar IS NOT NULL AS "hasCalendar"
   FROM kept_mail
   WHERE ($address::text IS NULL OR lower($address) IN (SELECT lower(address) FROM unnest(recipients || cc) AS all_of (address)))
     AND mail_id < $after
   ORDER BY mail_id DESC
   LIMIT $limit`,
);

export const selectKeptMail = statement<{ readonly mailId: MailId }, KeptMail>(
  'kept_mail.read',
  `SELECT mail_id AS "mailId", at, message_id AS "messageId", sender AS "from", recipients AS "to", cc, subject,
          text_body AS "text", html_body AS "html", calendar
   FROM kept_mail WHERE mail_id = $mailId`,
);

export const deleteKeptMails = statement<{ readonly before: Date }, { count: number }>(
  'kept_mail.forget',
  `WITH purged AS (DELETE FROM kept_mail WHERE at < $before RETURNING mail_id)
   SELECT count(*) AS "count" FROM purged`,
);

/** Deletes mail that contains one of $names as a whole word; each has letters, digits, `_` and `-` only. */
export const deleteMailsAbout = statement<{ readonly names: readonly string[] }>(
  'kept_mail.forget_about',
  `DELETE FROM kept_mail m USING (
     SELECT mail_id FROM kept_mail k
     WHERE EXISTS (SELECT FROM unnest($names::text[]) AS u (name)
                   WHERE concat_ws(' ', k.message_id, k.subject, k.text_body) ~ ('\\m' || u.name || '\\M'))
   ) AS found WHERE m.mail_id = found.mail_id`,
);
