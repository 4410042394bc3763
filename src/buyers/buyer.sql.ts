// SQL on the table buyer.
import { statement } from '../platform/database/database.ts';
import type { BuyerRow } from './buyer-row.rules.ts';
import type { FileStatement } from './buyer.ts';

const COLUMNS = `buyer_key AS "buyerKey", name, status, time_zone AS "timeZone", channels,
          notification_email AS "notificationEmail", cc_emails AS "ccEmails", webhook_url AS "webhookUrl", phone,
          sms_number AS "smsNumber", sheets_webhook_url AS "sheetsWebhookUrl",
          sheets_spreadsheet_id AS "sheetsSpreadsheetId", editable_fields AS "editableFields", beta_tools AS "betaTools",
          rate_limit AS "rateLimit", return_policy AS "returnPolicy", billing_mode AS "billingMode",
          credit_limit_cents AS "creditLimitCents", billing_terms AS "billingTerms",
          webhook_format AS "webhookFormat", endpoint_disabled_at AS "endpointDisabledAt", funds_paused_at AS "fundsPausedAt",
          own_paused_at AS "ownPausedAt", own_paused_until AS "ownPausedUntil"`;

export const readBuyersSql = statement<void, BuyerRow>(
  'buyers.read',
  `SELECT ${COLUMNS} FROM buyer ORDER BY buyer_key`,
);

/** The first $limit buyers after $after. */
export const pageOfBuyersSql = statement<{ readonly after: string; readonly limit: number }, BuyerRow>(
  'buyers.page',
  `SELECT ${COLUMNS} FROM buyer WHERE buyer_key > $after ORDER BY buyer_key LIMIT $limit`,
);

export const readBuyerSql = statement<{ readonly buyerKey: string }, BuyerRow>(
  'buyers.readOne',
  `SELECT ${COLUMNS} FROM buyer WHERE buyer_key = $buyerKey`,
);

export const lockBuyerSql = statement<{ readonly buyerKey: string }, BuyerRow>(
  'buyers.lock',
  `SELECT ${COLUMNS} FROM buyer WHERE buyer_key = $buyerKey FOR UPDATE`,
);

export const readSomeBuyersSql = statement<{ readonly keys: readonly string[] }, BuyerRow>(
  'buyers.readSome',
  `SELECT ${COLUMNS} FROM buyer WHERE buyer_key = ANY($keys::text[]) ORDER BY buyer_key`,
);

export const readFileSettingsSql = statement<
  { readonly keys: readonly string[] | null },
  { buyerKey: string; fileSettings: FileStatement }
>(
  'buyers.readFileSettings',
  `SELECT buyer_key AS "buyerKey", file_settings AS "fileSettings" FROM buyer WHERE $keys::text[] IS NULL OR buyer_key = ANY($keys::text[])`,
);

export const writeFileSettingsSql = statement<{
  readonly buyerKeys: readonly string[];
  readonly texts: readonly string[];
}>(
  'buyers.writeFileSettings',
  `UPDATE buyer SET file_settings = stated.file_settings::jsonb
     FROM unnest($buyerKeys::text[], $texts::text[]) AS stated (buyer_key, file_settings)
    WHERE buyer.buyer_key = stated.buyer_key`,
);

// Rows are passed as one JSON text, because unnest cannot carry lists of lists. A new webhook URL enables a disabled endpoint.
export const saveBuyersSql = statement<{ readonly buyers: string; readonly now: Date }>(
  'buyers.save',
  `INSERT INTO buyer (buyer_key, name, status, time_zone, channels, notification_email, cc_emails, webhook_url, phone,
                      sms_number, sheets_webhook_url, sheets_spreadsheet_id, file_settings, editable_fields, beta_tools,
                      rate_limit, return_policy, billing_mode, credit_limit_cents, billing_terms,
                      webhook_format, created_at, updated_at)
   SELECT "buyerKey", name, status, "timeZone", channels, "notificationEmail", "ccEmails", "webhookUrl", phone,
          "smsNumber", "sheetsWebhookUrl", "sheetsSpreadsheetId", '{}', "editableFields", "betaTools",
          "rateLimit", "returnPolicy", "billingMode", "creditLimitCents", "billingTerms", "webhookFormat", $now, $now
     FROM jsonb_to_recordset($buyers::jsonb) AS saved (
            "buyerKey" text, name text, status text, "timeZone" text, channels text[], "notificationEmail" text,
            "ccEmails" text[], "webhookUrl" text, phone text, "smsNumber" text, "sheetsWebhookUrl" text,
            "sheetsSpreadsheetId" text, "editableFields" text[], "betaTools" text[], "rateLimit" jsonb,
            "returnPolicy" jsonb, "billingMode" text, "creditLimitCents" bigint, "billingTerms" jsonb, "webhookFormat" jsonb)
   ON CONFLICT (buyer_key) DO UPDATE
     SET name = EXCLUDED.name, status = EXCLUDED.status, time_zone = EXCLUDED.time_zone, channels = EXCLUDED.channels,
         notification_email = EXCLUDED.notification_email, cc_emails = EXCLUDED.cc_emails,
         webhook_url = EXCLUDED.webhook_url, phone = EXCLUDED.phone, sms_number = EXCLUDED.sms_number,
         sheets_webhook_url = EXCLUDED.sheets_webhook_url, sheets_spreadsheet_id = EXCLUDED.sheets_spreadsheet_id,
         editable_fields = EXCLUDED.editable_fields, beta_tools = EXCLUDED.beta_tools, rate_limit = EXCLUDED.rate_limit,
         return_policy = EXCLUDED.return_policy, billing_mode = EXCLUDED.billing_mode,
         credit_limit_cents = EXCLUDED.credit_limit_cents,
         billing_terms = EXCLUDED.billing_terms, webhook_format = EXCLUDED.webhook_format, updated_at = EXCLUDED.updated_at,
         endpoint_disabled_at =
           CASE WHEN buyer.webhook_url IS NOT DISTINCT FROM EXCLUDED.webhook_url THEN buyer.endpoint_disabled_at END`,
);

// The search covers key and name, in any case; `strpos` needs no escaping of patterns.
type BuyerFilter = { readonly search: string | null; readonly status: string | null };

const FILTER = `($search::text IS NULL OR strpos(buyer_key, lower($search)) > 0 OR strpos(lower(name), lower($search)) > 0)
      AND ($status::text IS NULL OR status = $status)`;

export const countBuyersSql = statement<BuyerFilter, { total: number }>(
  'buyers.countWanted',
  `SELECT count(*) AS total FROM buyer WHERE ${FILTER}`,
);

/** $pageSize: null for all. */
export const listBuyersSql = statement<
  BuyerFilter & { readonly pageSize: number | null; readonly offset: number },
  BuyerRow
>(
  'buyers.list',
  `SELECT ${COLUMNS} FROM buyer WHERE ${FILTER} ORDER BY lower(name), buyer_key LIMIT $pageSize OFFSET $offset`,
);

export const disableEndpointsSql = statement<
  { readonly buyerKeys: readonly string[]; readonly webhookUrls: readonly string[]; readonly now: Date },
  { buyerKey: string }
>(
  'buyers.disable_endpoints',
  `UPDATE buyer b SET endpoint_disabled_at = $now, updated_at = $now
   FROM unnest($buyerKeys::text[], $webhookUrls::text[]) AS gone (buyer_key, webhook_url)
   WHERE b.buyer_key = gone.buyer_key AND b.webhook_url = gone.webhook_url AND b.endpoint_disabled_at IS NULL
   RETURNING b.buyer_key AS "buyerKey"`,
);

export const enableEndpointSql = statement<{ readonly buyerKey: string; readonly now: Date }, { buyerKey: string }>(
  'buyers.enable_endpoint',
  `UPDATE buyer SET endpoint_disabled_at = NULL, updated_at = $now WHERE buyer_key = $buyerKey AND endpoint_disabled_at IS NOT NULL
   RETURNING buyer_key AS "buyerKey"`,
);

/** Buyers whose offers pause at a threshold, or are paused. */
export const readFundsWatchedSql = statement<void, BuyerRow>(
  'buyers.read_funds_watched',
  `SELECT ${COLUMNS} FROM buyer
   WHERE funds_paused_at IS NOT NULL OR billing_terms->>'pauseBelowCents' IS NOT NULL ORDER BY buyer_key`,
);

export const writeFundsPausesSql = statement<{
  readonly buyerKeys: readonly string[];
  readonly pauses: readonly boolean[];
  readonly now: Date;
}>(
  'buyers.write_funds_pauses',
  `UPDATE buyer SET funds_paused_at = CASE WHEN is_paused THEN $now::timestamptz END, updated_at = $now
   FROM unnest($buyerKeys::text[], $pauses::boolean[]) AS changed (key, is_paused) WHERE buyer_key = key`,
);

/** Both null: the buyer receives leads again. */
export const writeOwnPausesSql = statement<{
  readonly buyerKeys: readonly string[];
  readonly since: Date | null;
  readonly until: Date | null;
  readonly now: Date;
}>(
  'buyers.write_own_pauses',
  `UPDATE buyer SET own_paused_at = $since, own_paused_until = $until, updated_at = $now WHERE buyer_key = ANY($buyerKeys::text[])`,
);

export const readOverPausesSql = statement<{ readonly now: Date }, BuyerRow>(
  'buyers.read_over_pauses',
  `SELECT ${COLUMNS} FROM buyer WHERE own_paused_until <= $now ORDER BY buyer_key`,
);
