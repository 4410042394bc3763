// The SQL of all endpoints with their health: partners' channels and suppliers' callbacks.
import type { BuyerSettings } from '../../buyers/buyer.ts';
import type { EndpointKey } from '../../endpoints/breaker.rules.ts';
import { statement } from '../../platform/database/database.ts';

/** Waiting jobs are counted up to this number, so that the query stays fast; beyond it "more" is enough. */
export const WAITING_COUNTED = 1000;

const SETTINGS = `b.notification_email AS "notificationEmail", b.cc_emails AS "ccEmails", b.webhook_url AS "webhookUrl", b.phone,
  b.sms_number AS "smsNumber", b.sheets_webhook_url AS "sheetsWebhookUrl", b.sheets_spreadsheet_id AS "sheetsSpreadsheetId"`;

/**
 * Reads configuration, which is small: a few thousand rows at most. Besides the channels in use it includes channels for notices, and
 * channels that were removed, as long as they are failing.
 */
const ENDPOINTS = `SELECT 'buyer' AS kind, b.buyer_key AS key, b.name, b.status, c.channel, c.place = 1 AS is_primary,
    CASE WHEN c.channel = 'webhook' THEN b.endpoint_disabled_at END AS disabled_at
  FROM buyer b CROSS JOIN LATERAL unnest(b.channels) WITH ORDINALITY AS c (channel, place)
  UNION ALL
  SELECT 'supplier', s.supplier_key, s.name, s.status, 'webhook', true, NULL FROM supplier s WHERE s.callback IS NOT NULL
  UNION ALL
  SELECT 'buyer', b.buyer_key, b.name, b.status, 'webhook', false, b.endpoint_disabled_at
  FROM buyer b WHERE b.endpoint_disabled_at IS NOT NULL AND NOT 'webhook' = ANY(b.channels)
  UNION ALL
  SELECT h.owner_kind, h.owner_key, coalesce(b.name, s.name, h.owner_key), coalesce(b.status, s.status, ''), h.channel, false, NULL
  FROM endpoint_health h
  LEFT JOIN buyer b ON h.owner_kind = 'buyer' AND b.buyer_key = h.owner_key
  LEFT JOIN supplier s ON h.owner_kind = 'supplier' AND s.supplier_key = h.owner_key
  WHERE h.failures > 0 AND NOT coalesce(h.channel = ANY(b.channels), false)
    AND NOT coalesce(h.channel = 'webhook' AND (s.callback IS NOT NULL OR b.endpoint_disabled_at IS NOT NULL), false)`;

export type EndpointRow = EndpointKey &
  BuyerSettings & {
    readonly name: string;
    readonly ownerStatus: string;
    readonly isPrimary: boolean;
    readonly disabledAt: Date | null;
    /** Consecutive failures. */
    readonly failures: number;
    readonly openedAt: Date | null;
    readonly nextProbeAt: Date | null;
    readonly lastError: string | null;
    readonly lastFailedAt: Date | null;
    readonly callbackUrl: string | null;
    /** Counted up to one more than `WAITING_COUNTED`. */
    readonly waiting: number;
    /** The number of outages since `outagesSince`, and their total length. */
    readonly outages: number;
    readonly outageSeconds: number;
    /** Seconds of downtime in each of the last 24 hours, oldest first. */
    readonly hours: number[];
    readonly rank: EndpointRank;
  };

/** 0: disabled, or its breaker is open; 1: failed since its last success; 2: healthy. */
export type EndpointRank = 0 | 1 | 2;

const SAME_ENDPOINT = 'o.owner_kind = e.kind AND o.owner_key = e.key AND o.channel = e.channel';

/**
 * The least healthy first, then by kind, key and channel, starting after the endpoint that `after…` names. `search` is part of a key or a name, in lowercase;
 * outages are counted since `outagesSince`.
 */
export const listEndpointsSql = statement<
  {
    readonly afterRank: number;
    readonly afterKind: string;
    readonly afterKey: string;
    readonly afterChannel: string;
    readonly limit: number;
    readonly onlyUnhealthy: boolean;
    readonly search: string | null;
    readonly now: Date;
    readonly outagesSince: Date;
  },
  EndpointRow
>(
  'deliveries.console_endpoints',
  `SELECT e.kind AS "ownerKind", e.key AS "ownerKey", e.name, e.status AS "ownerStatus", e.channel, e.is_primary AS "isPrimary",
          e.disabled_at AS "disabledAt", e.failures, e.opened_at AS "openedAt", e.next_probe_at AS "nextProbeAt",
          e.last_error AS "lastError", e.last_failed_at AS "lastFailedAt", ${SETTINGS}, s.callback ->> 'url' AS "callbackUrl",
          sends.waiting + messages.waiting AS waiting, outages.outages, outages.seconds AS "outageSeconds", hours.hours, e.rank
   FROM (
     SELECT ranked.* FROM (
       SELECT f.*, coalesce(h.failures, 0) AS failures, h.opened_at, h.next_probe_at, h.last_error, h.last_failed_at,
              CASE WHEN f.disabled_at IS NOT NULL OR h.opened_at IS NOT NULL THEN 0 WHEN h.failures > 0 THEN 1 ELSE 2 END AS rank
       FROM (${ENDPOINTS}) AS f
       LEFT JOIN endpoint_health h ON h.owner_kind = f.kind AND h.owner_key = f.key AND h.channel = f.channel AND h.failures > 0
       WHERE $search::text IS NULL OR strpos(lower(f.key || ' ' || f.name), $search) > 0) AS ranked
     WHERE (rank, kind, key, channel) > ($afterRank, $afterKind, $afterKey, $afterChannel) AND (NOT $onlyUnhealthy OR rank < 2)
     ORDER BY rank, kind, key, channel LIMIT $limit
   ) AS e
   LEFT JOIN buyer b ON e.kind = 'buyer' AND b.buyer_key = e.key
   LEFT JOIN supplier s ON e.kind = 'supplier' AND s.supplier_key = e.key
   CROSS JOIN LATERAL (
     SELECT count(*) AS waiting FROM (
       SELECT FROM send_job j WHERE e.kind = 'buyer' AND j.buyer_key = e.key AND j.channel = e.channel LIMIT ${WAITING_COUNTED + 1}) AS part) AS sends
   CROSS JOIN LATERAL (
     SELECT count(*) AS waiting FROM (
       SELECT FROM message_job m WHERE m.owner_kind = e.kind AND m.owner_key = e.key AND m.channel = e.channel
       LIMIT ${WAITING_COUNTED + 1}) AS part) AS messages
   CROSS JOIN LATERAL (
     SELECT count(*) AS outages, coalesce(sum(extract(epoch FROM coalesce(o.closed_at, $now) - greatest(o.opened_at, $outagesSince))), 0)::bigint AS seconds
     FROM endpoint_outage o WHERE ${SAME_ENDPOINT} AND (o.closed_at IS NULL OR o.closed_at > $outagesSince)) AS outages
   CROSS JOIN LATERAL (
     WITH down AS MATERIALIZED (
       SELECT o.opened_at AS since, coalesce(o.closed_at, $now) AS until FROM endpoint_outage o
       WHERE ${SAME_ENDPOINT} AND (o.closed_at IS NULL OR o.closed_at > $now - interval '24 hours')
       UNION ALL SELECT e.disabled_at, $now WHERE e.disabled_at IS NOT NULL)
     SELECT array_agg(hour.seconds ORDER BY hour.since) AS hours FROM (
       SELECT h.since, least(3600, coalesce(sum(extract(epoch FROM least(d.until, h.since + interval '1 hour') - greatest(d.since, h.since)))
                FILTER (WHERE d.since IS NOT NULL), 0))::int AS seconds
       FROM generate_series($now - interval '24 hours', $now - interval '1 hour', interval '1 hour') AS h (since)
       LEFT JOIN down d ON d.since < h.since + interval '1 hour' AND d.until > h.since GROUP BY h.since) AS hour) AS hours
   ORDER BY e.rank, e.kind, e.key, e.channel`,
);

export const selectEndpointState = statement<
  { readonly ownerKind: string; readonly ownerKey: string; readonly channel: string },
  { isDisabled: boolean; isBroken: boolean }
>(
  'deliveries.console_endpoint_standing',
  `SELECT f.disabled_at IS NOT NULL AS "isDisabled", h.opened_at IS NOT NULL AS "isBroken"
   FROM (${ENDPOINTS}) AS f
   LEFT JOIN endpoint_health h ON h.owner_kind = f.kind AND h.owner_key = f.key AND h.channel = f.channel
   WHERE f.kind = $ownerKind AND f.key = $ownerKey AND f.channel = $channel`,
);

/** Makes the oldest job that waits for the endpoint due at once, because a probe needs something to send. Sales come first, as always. */
export const expediteOldestJob = statement<{
  readonly ownerKey: string;
  readonly channel: string;
  readonly dueAt: Date;
}>(
  'deliveries.console_hurry_job',
  `WITH oldest AS (
     SELECT next.delivery_id, next.channel FROM (VALUES ('sale'), ('replay'), ('copy')) AS p (purpose), LATERAL (
       SELECT delivery_id, channel FROM send_job s
       WHERE s.buyer_key = $ownerKey AND s.channel = $channel AND s.purpose = p.purpose AND s.attempt_id IS NULL
       ORDER BY s.due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS next
     LIMIT 1
   )
   UPDATE send_job s SET due_at = least(s.due_at, $dueAt) FROM oldest
   WHERE s.delivery_id = oldest.delivery_id AND s.channel = oldest.channel RETURNING s.delivery_id AS "deliveryId"`,
);
