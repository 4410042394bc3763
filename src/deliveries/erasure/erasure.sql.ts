// The SQL that erases delivered leads and deletes old attempts.
import { statement } from '../../platform/database/database.ts';
import { REJECTED_BY_PARTNER } from '../../platform/outbound/send-outcome.ts';
import type { DeliveryId, LeadId, Uuid } from '../../base/ids.ts';
import type { CapSlot } from '../../caps/cap-counters.ts';
import type { DeliveryOfErased } from '../delivery.ts';

/** In the order in which workers write results. A worker that sends one of them has to wait. */
export const lockSendings = statement<{ readonly leadIds: readonly LeadId[] }>(
  'erasure.lock_sendings',
  `SELECT s.delivery_id FROM delivery d JOIN send_job s USING (delivery_id) WHERE d.lead_id = ANY($leadIds::uuid[])
   ORDER BY s.delivery_id, s.channel FOR UPDATE OF s`,
);

export const lockDeliveriesOfLeads = statement<{ readonly leadIds: readonly LeadId[] }, DeliveryOfErased>(
  'erasure.lock_deliveries',
  `SELECT delivery_id AS "deliveryId", lead_id AS "leadId", buyer_key AS "buyerKey", ref_number AS "refNumber",
          event_type AS "eventType", status
   FROM delivery WHERE lead_id = ANY($leadIds::uuid[]) ORDER BY delivery_id FOR UPDATE`,
);

export type DroppedJob = { deliveryId: DeliveryId; purpose: 'sale' | 'copy' | 'replay'; uncertain: number };

/** Includes jobs for copies that a confirmation has just queued. */
export const dropSendings = statement<{ readonly deliveryIds: readonly DeliveryId[] }, DroppedJob>(
  'erasure.drop_sendings',
  `DELETE FROM send_job WHERE delivery_id = ANY($deliveryIds::uuid[]) RETURNING delivery_id AS "deliveryId", purpose, uncertain`,
);

/** The consent stored at the first erasure is kept at later ones. */
export const keepConsents = statement<{
  readonly leadIds: readonly LeadId[];
  readonly consents: readonly string[];
  readonly deliveryIds: readonly DeliveryId[];
}>(
  'erasure.keep_consents',
  `UPDATE delivery d SET erased_consent = u.consent FROM unnest($leadIds::uuid[], $consents::text[]) AS u (lead_id, consent)
   WHERE d.lead_id = u.lead_id AND d.delivery_id = ANY($deliveryIds::uuid[])`,
);

/** The error of a script is its own text (contract 5.6), and a rejection has the partner's reason: both may quote the lead as any response may. */
const QUOTED_ERROR = `(channel = 'sheets_script' AND error IS NOT NULL OR error LIKE '${REJECTED_BY_PARTNER}%: %')`;
const EXPIRED_ERROR = 'The text of the error has expired.';

/** An attempt in progress has no row, unless a process of the last release has begun it. */
export const eraseAttempts = statement<{ readonly deliveryIds: readonly DeliveryId[] }>(
  'erasure.attempts',
  `UPDATE attempt SET response_snippet = NULL, state = CASE WHEN state = 'scheduled' THEN 'failed' ELSE state END,
          error = CASE WHEN state = 'scheduled' OR ${QUOTED_ERROR} THEN 'erased' ELSE error END
   WHERE delivery_id = ANY($deliveryIds::uuid[])`,
);

/** A reference is a text of the partner's response. */
export const eraseReferences = statement<{ readonly deliveryIds: readonly DeliveryId[] }>(
  'erasure.references',
  `WITH found AS (DELETE FROM delivery_reference WHERE delivery_id = ANY($deliveryIds::uuid[]))
   UPDATE delivery SET buyer_reference = NULL WHERE delivery_id = ANY($deliveryIds::uuid[]) AND buyer_reference IS NOT NULL`,
);

/** Walks $atOnce attempts in the order of their ids. */
export const purgeSnippetsSql = statement<
  { readonly after: Uuid; readonly endId: Uuid; readonly atOnce: number },
  { lastId: Uuid | null; purged: number }
>(
  'erasure.purge_snippets',
  `WITH part AS (
     SELECT attempt_id FROM attempt WHERE attempt_id > $after AND attempt_id < $endId ORDER BY attempt_id LIMIT $atOnce
   ), purged AS (
     UPDATE attempt a SET response_snippet = NULL, error = CASE WHEN ${QUOTED_ERROR} THEN '${EXPIRED_ERROR}' ELSE error END FROM part
     WHERE a.attempt_id = part.attempt_id AND (a.response_snippet IS NOT NULL OR ${QUOTED_ERROR} AND error <> '${EXPIRED_ERROR}') RETURNING 1
   )
   SELECT (SELECT attempt_id FROM part ORDER BY attempt_id DESC LIMIT 1) AS "lastId", (SELECT count(*) FROM purged) AS purged`,
);

/** The oldest attempts before $endId, at most $atOnce. */
export const purgeAttemptsSql = statement<{ readonly endId: Uuid; readonly atOnce: number }, { purged: number }>(
  'erasure.purge_attempts',
  `WITH old AS (SELECT attempt_id FROM attempt WHERE attempt_id < $endId ORDER BY attempt_id LIMIT $atOnce),
   purged AS (DELETE FROM attempt a USING old WHERE a.attempt_id = old.attempt_id RETURNING 1)
   SELECT count(*) AS purged FROM purged`,
);

/** Cap slots that deliveries from before $before may still release. $firstId: the first id of that time. */
export const oldPendingSlotsSql = statement<
  { readonly before: Date; readonly firstId: Uuid },
  { offerKey: string; capWindows: readonly CapSlot[] }
>(
  'erasure.old_pending_slots',
  `SELECT d.offer_key AS "offerKey", d.cap_windows AS "capWindows" FROM send_job s JOIN delivery d USING (delivery_id)
   WHERE s.purpose = 'sale' AND s.delivery_id < $firstId AND d.status = 'Pending' AND d.delivered_at < $before`,
);
