// The SQL that reads the log of attempts.
import { statement } from '../platform/database/database.ts';
import type { AttemptRow, RunningRow } from './attempt-view.rules.ts';
import type { DeliveryId, LeadId } from '../base/ids.ts';

const ATTEMPT = `a.attempt_id AS "attemptId", a.delivery_id AS "deliveryId", d.event_type AS "eventType",
  d.ref_number AS "refNumber", a.channel, a.target, a.attempt, a.state, a.response_code AS "responseCode",
  a.response_snippet AS "responseSnippet", a.latency_ms AS "latencyMs", a.error, a.is_test AS "isTest", a.at,
  a.next_attempt_at AS "nextAttemptAt"`;

export const LOG_LIMIT_MAX = 200;
/** A delivery has nine attempts per channel; only one that was redelivered many times has more than these. */
const TIMELINE_ATTEMPTS = 500;

/** Newest first. The inner limit is for the planner, which would estimate the outer one at a tenth of all attempts of the buyer. */
export const attemptsOfBuyer = statement<{ readonly ownerKey: string; readonly limit: number }, AttemptRow>(
  'attempts.of_buyer',
  `SELECT ${ATTEMPT}
   FROM (SELECT * FROM (
           SELECT * FROM attempt WHERE buyer_key = $ownerKey ORDER BY attempt_id DESC LIMIT ${LOG_LIMIT_MAX}) AS latest
         LIMIT $limit) a
   LEFT JOIN delivery d ON d.delivery_id = a.delivery_id
   ORDER BY a.attempt_id DESC`,
);

/** Latest first, of leads and tests: those with a response, among the latest attempts of the buyer. */
export const responsesOfWebhook = statement<
  { readonly buyerKey: string; readonly limit: number },
  AttemptRow & { leadId: LeadId | null; rule: number | null }
>(
  'attempts.responses_of_webhook',
  `SELECT ${ATTEMPT}, a.rule, d.lead_id AS "leadId"
   FROM (SELECT * FROM (
           SELECT * FROM attempt WHERE buyer_key = $buyerKey ORDER BY attempt_id DESC LIMIT ${LOG_LIMIT_MAX}) AS latest
         WHERE channel = 'webhook' AND response_code IS NOT NULL AND (is_test OR delivery_id IS NOT NULL)
         ORDER BY attempt_id DESC LIMIT $limit) a
   LEFT JOIN delivery d ON d.delivery_id = a.delivery_id
   ORDER BY a.attempt_id DESC`,
);

/** Oldest first; of very many only the latest. Without the attempts at messages that this delivery sent to other owners. */
export const attemptsOfDelivery = statement<{ readonly buyerKey: string; readonly deliveryId: DeliveryId }, AttemptRow>(
  'attempts.of_delivery',
  `SELECT ${ATTEMPT}
   FROM (SELECT * FROM attempt WHERE delivery_id = $deliveryId AND buyer_key = $buyerKey
         ORDER BY attempt_id DESC LIMIT ${TIMELINE_ATTEMPTS}) a
   JOIN delivery d ON d.delivery_id = a.delivery_id
   ORDER BY a.attempt_id`,
);

/** Attempts in progress at these deliveries, which are not in the log yet: their jobs are leased. $buyerKey null for all buyers. */
export const attemptsInProgress = statement<
  { readonly deliveryIds: readonly DeliveryId[]; readonly buyerKey: string | null },
  RunningRow
>(
  'attempts.in_progress',
  `SELECT s.attempt_id AS "attemptId", s.delivery_id AS "deliveryId", d.event_type AS "eventType", d.ref_number AS "refNumber", s.channel,
          s.attempts AS attempt, s.buyer_key AS "buyerKey", b.notification_email AS "notificationEmail", b.cc_emails AS "ccEmails",
          b.webhook_url AS "webhookUrl", b.phone, b.sms_number AS "smsNumber", b.sheets_webhook_url AS "sheetsWebhookUrl",
          b.sheets_spreadsheet_id AS "sheetsSpreadsheetId"
   FROM send_job s JOIN delivery d USING (delivery_id) JOIN buyer b ON b.buyer_key = s.buyer_key
   WHERE s.delivery_id = ANY($deliveryIds::uuid[]) AND s.attempt_id IS NOT NULL AND ($buyerKey::text IS NULL OR s.buyer_key = $buyerKey)
   ORDER BY s.attempt_id`,
);

/** For the operator: the attempts of all buyers. */
export const attemptsOfLead = statement<{ readonly leadId: LeadId }, AttemptRow & { buyerKey: string }>(
  'attempts.of_lead',
  `SELECT ${ATTEMPT}, a.buyer_key AS "buyerKey"
   FROM attempt a JOIN delivery d USING (delivery_id) WHERE d.lead_id = $leadId ORDER BY a.at, a.attempt_id`,
);
