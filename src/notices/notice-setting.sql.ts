// The SQL of what partners and suppliers have chosen for their notices.
import { statement } from '../platform/database/database.ts';

export const selectNoticeSetting = statement<
  { readonly ownerKind: string; readonly ownerKey: string },
  { settings: unknown }
>(
  'notices.select_setting',
  'SELECT settings FROM notice_setting WHERE owner_kind = $ownerKind AND owner_key = $ownerKey',
);

export const writeNoticeSetting = statement<{
  readonly ownerKind: string;
  readonly ownerKey: string;
  readonly settings: string;
  readonly now: Date;
}>(
  'notices.write_setting',
  `INSERT INTO notice_setting (owner_kind, owner_key, settings, updated_at) VALUES ($ownerKind, $ownerKey, $settings::jsonb, $now)
   ON CONFLICT (owner_kind, owner_key) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at`,
);

export type RecipientRow = {
  /** Its own settings; null without any. */
  settings: unknown;
  name: string | null;
  timeZone: string | null;
  /** Partners only, like the next one: where a partner gets leads and notices unless its settings name other addresses. */
  notificationEmail: string | null;
  ccEmails: string[] | null;
  billingEmail: string | null;
};

export const selectRecipient = statement<{ readonly ownerKind: string; readonly ownerKey: string }, RecipientRow>(
  'notices.select_recipient',
  `SELECT n.settings, coalesce(b.name, s.name) AS name, coalesce(b.time_zone, s.time_zone) AS "timeZone",
          b.notification_email AS "notificationEmail", b.cc_emails AS "ccEmails", b.billing_terms->>'email' AS "billingEmail"
   FROM (VALUES ($ownerKind, $ownerKey)) AS owner (kind, key)
   LEFT JOIN notice_setting n ON n.owner_kind = owner.kind AND n.owner_key = owner.key
   LEFT JOIN buyer b ON owner.kind = 'buyer' AND b.buyer_key = owner.key
   LEFT JOIN supplier s ON owner.kind = 'supplier' AND s.supplier_key = owner.key`,
);

export const selectNoticeSettings = statement<{ readonly ownerKind: string }, { ownerKey: string; settings: unknown }>(
  'notices.select_settings',
  'SELECT owner_key AS "ownerKey", settings FROM notice_setting WHERE owner_kind = $ownerKind',
);
