// The SQL of the log of messages to suppliers about their leads.
import type { LeadId, Uuid } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { LoggedCallback } from './message.ts';

/** Skips messages that are older than the log. Locks in the same order as every writer of this table. */
export const updateCallbacks = statement<{
  readonly leadIds: readonly LeadId[];
  readonly messageIds: readonly Uuid[];
  readonly states: readonly string[];
  readonly attempts: readonly number[];
  readonly responseCodes: ReadonlyArray<number | null>;
  readonly errors: ReadonlyArray<string | null>;
  readonly now: Date;
}>(
  'messages.update_callbacks',
  `WITH known AS (
     SELECT c.lead_id, c.message_id, u.state, u.attempts, u.response_code, u.error
     FROM unnest($leadIds::uuid[], $messageIds::uuid[], $states::text[], $attempts::int[], $responseCodes::int2[], $errors::text[])
       AS u (lead_id, message_id, state, attempts, response_code, error)
     JOIN callback_log c USING (lead_id, message_id) ORDER BY c.lead_id, c.message_id FOR UPDATE OF c
   )
   UPDATE callback_log c SET state = k.state, attempts = k.attempts, response_code = k.response_code, error = k.error, tried_at = $now
   FROM known k WHERE c.lead_id = k.lead_id AND c.message_id = k.message_id`,
);

/** For messages that fail without another attempt, or are requeued. */
export const moveCallbacks = statement<{
  readonly leadIds: readonly LeadId[];
  readonly messageIds: readonly Uuid[];
  readonly state: string;
  readonly error: string | null;
}>(
  'messages.move_callbacks',
  `WITH known AS (
     SELECT c.lead_id, c.message_id FROM unnest($leadIds::uuid[], $messageIds::uuid[]) AS u (lead_id, message_id)
     JOIN callback_log c USING (lead_id, message_id) ORDER BY c.lead_id, c.message_id FOR UPDATE OF c
   )
   UPDATE callback_log c SET state = $state, error = coalesce($error, error)
   FROM known k WHERE c.lead_id = k.lead_id AND c.message_id = k.message_id`,
);

export const selectCallbacks = statement<
  { readonly leadId: LeadId; readonly supplierKey: string; readonly limit: number },
  LoggedCallback
>(
  'messages.select_callbacks',
  `SELECT message_id AS "messageId", type, state, attempts, response_code AS "responseCode", error, queued_at AS "queuedAt",
          tried_at AS "triedAt"
   FROM callback_log WHERE lead_id = $leadId AND supplier_key = $supplierKey ORDER BY message_id LIMIT $limit`,
);

/** The oldest leads first. */
export const purgeCallbacksSql = statement<{ readonly beforeLeadId: Uuid; readonly limit: number }, { purged: number }>(
  'messages.purge_callbacks',
  `WITH old AS (
     SELECT lead_id, message_id FROM callback_log WHERE lead_id < $beforeLeadId ORDER BY lead_id LIMIT $limit
   ), purged AS (
     DELETE FROM callback_log c USING old WHERE c.lead_id = old.lead_id AND c.message_id = old.message_id RETURNING 1
   )
   SELECT count(*) AS purged FROM purged`,
);
