// The SQL that writes the log of attempts.
import type { AttemptId, DeliveryId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';

export const insertAttempts = statement<{
  readonly attemptIds: readonly AttemptId[];
  readonly deliveryIds: readonly DeliveryId[];
  readonly buyerKeys: readonly string[];
  readonly channels: readonly string[];
  readonly targets: readonly string[];
  readonly numbers: readonly number[];
  readonly now: Date;
}>(
  'endpoints.insert_attempts',
  `INSERT INTO attempt (attempt_id, delivery_id, buyer_key, channel, target, attempt, state, is_test, at)
   SELECT attempt_id, delivery_id, buyer_key, channel, target, attempt, 'scheduled', false, $now
   FROM unnest($attemptIds::uuid[], $deliveryIds::uuid[], $buyerKeys::text[], $channels::text[], $targets::text[], $numbers::int[])
     AS u (attempt_id, delivery_id, buyer_key, channel, target, attempt)`,
);

/** The response is not stored if the lead was erased meanwhile. Changes nothing if the start of the attempt was not logged. */
export const updateAttempts = statement<{
  readonly attemptIds: readonly AttemptId[];
  readonly states: readonly string[];
  readonly responseCodes: ReadonlyArray<number | null>;
  readonly responseSnippets: ReadonlyArray<string | null>;
  readonly latenciesMs: readonly number[];
  readonly errors: ReadonlyArray<string | null>;
  readonly nextAttemptTimes: ReadonlyArray<Date | null>;
}>(
  'endpoints.update_attempts',
  `UPDATE attempt a SET state = u.state, response_code = u.response_code, response_snippet = u.response_snippet,
          latency_ms = u.latency_ms, error = u.error, next_attempt_at = u.next_attempt_at
   FROM unnest($attemptIds::uuid[], $states::text[], $responseCodes::int2[], $responseSnippets::text[], $latenciesMs::int[], $errors::text[], $nextAttemptTimes::timestamptz[])
     AS u (attempt_id, state, response_code, response_snippet, latency_ms, error, next_attempt_at)
   WHERE a.attempt_id = u.attempt_id AND a.error IS DISTINCT FROM 'erased'`,
);
