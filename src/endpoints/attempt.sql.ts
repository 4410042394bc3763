// The SQL that writes the log of attempts.
import type { DeliveryId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';

/** Replaces a row that only says that an attempt was in progress or interrupted, and no other. The parameters are binary arrays. */
export const insertAttempts = statement<{
  readonly attemptIds: Buffer;
  readonly deliveryIds: Buffer;
  readonly buyerKeys: Buffer;
  readonly channels: Buffer;
  readonly targets: Buffer;
  readonly numbers: readonly number[];
  readonly startTimes: Buffer;
  readonly states: Buffer;
  readonly responseCodes: Buffer;
  readonly responseSnippets: Buffer;
  readonly latenciesMs: ReadonlyArray<number | null>;
  readonly errors: Buffer;
  readonly nextAttemptTimes: Buffer;
  readonly rules: Buffer;
  readonly messageTypes: Buffer;
}>(
  'endpoints.insert_attempts',
  `INSERT INTO attempt AS a (attempt_id, delivery_id, buyer_key, channel, target, attempt, is_test, at, state, response_code, response_snippet,
                             latency_ms, error, next_attempt_at, rule, message_type)
   SELECT attempt_id, delivery_id, buyer_key, channel, target, attempt, false, at, state, response_code, response_snippet,
          latency_ms, error, next_attempt_at, rule, message_type
   FROM unnest($attemptIds::uuid[], $deliveryIds::uuid[], $buyerKeys::text[], $channels::text[], $targets::text[], $numbers::int[], $startTimes::timestamptz[],
               $states::text[], $responseCodes::int2[], $responseSnippets::text[], $latenciesMs::int[], $errors::text[], $nextAttemptTimes::timestamptz[], $rules::int2[], $messageTypes::text[])
     AS u (attempt_id, delivery_id, buyer_key, channel, target, attempt, at, state, response_code, response_snippet, latency_ms, error, next_attempt_at, rule, message_type)
   ON CONFLICT (attempt_id) DO UPDATE
     SET state = excluded.state, response_code = excluded.response_code, response_snippet = excluded.response_snippet,
         latency_ms = excluded.latency_ms, error = excluded.error, next_attempt_at = excluded.next_attempt_at, rule = excluded.rule
     WHERE a.state = 'scheduled' OR a.error = 'interrupted'`,
);

/** Locks the deliveries as their erasure does. `isErased` is read from the locked row, because the lead may be erased meanwhile. */
export const lockErasure = statement<
  { readonly deliveryIds: readonly DeliveryId[] },
  { deliveryId: DeliveryId; isErased: boolean }
>(
  'endpoints.lock_erasure',
  `SELECT delivery_id AS "deliveryId", erased_consent IS NOT NULL AS "isErased" FROM delivery
   WHERE delivery_id = ANY($deliveryIds::uuid[]) ORDER BY delivery_id FOR UPDATE`,
);
