// The statements on mail that is kept instead of sent.
import { statement } from '../../database/database.ts';

export const insertKeptMail = statement(
  'kept_mail.insert',
  `INSERT INTO kept_mail (mail_id, at, message_id, sender, recipients, cc, subject, text_body, html_body, calendar)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

/** By id, which is the order of keeping also where times are equal. */
export const selectKeptMails = statement(
  'kept_mail.list',
  `SELECT mail_id AS "mailId", at, recipients AS "to", cc, subject, calendar IS NOT NULL AS "hasCalendar"
   FROM kept_mail
   WHERE ($1::text IS NULL OR lower($1) IN (SELECT lower(address) FROM unnest(recipients || cc) AS all_of (address)))
     AND mail_id < $2
   ORDER BY mail_id DESC
   LIMIT $3`,
);

export const selectKeptMail = statement(
  'kept_mail.read',
  `SELECT mail_id AS "mailId", at, message_id AS "messageId", sender AS "from", recipients AS "to", cc, subject,
          text_body AS "text", html_body AS "html", calendar
   FROM kept_mail WHERE mail_id = $1`,
);

export const deleteKeptMails = statement(
  'kept_mail.forget',
  `WITH forgotten AS (DELETE FROM kept_mail WHERE at < $1 RETURNING mail_id)
   SELECT count(*) AS "count" FROM forgotten`,
);

/** $1: names of things, each a word of letters, digits, `_` and `-`, anywhere in a mail. */
export const deleteMailsAbout = statement(
  'kept_mail.forget_about',
  `DELETE FROM kept_mail m USING (
     SELECT mail_id FROM kept_mail k
     WHERE EXISTS (SELECT FROM unnest($1::text[]) AS u (name)
                   WHERE concat_ws(' ', k.message_id, k.subject, k.text_body) ~ ('\\m' || u.name || '\\M'))
   ) AS found WHERE m.mail_id = found.mail_id`,
);
