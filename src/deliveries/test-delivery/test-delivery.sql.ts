// The SQL that writes test deliveries into the log of attempts.
import { statement } from '../../platform/database/database.ts';
import type { AttemptId } from '../../base/ids.ts';

export const insertTestAttempt = statement<{
  readonly attemptId: AttemptId;
  readonly buyerKey: string;
  readonly channel: string;
  readonly target: string;
  readonly now: Date;
}>(
  'tests.insert_attempt',
  `INSERT INTO attempt (attempt_id, buyer_key, channel, target, attempt, state, is_test, at)
   VALUES ($attemptId, $buyerKey, $channel, $target, 1, 'scheduled', true, $now)`,
);

export const finishTestAttempt = statement<{
  readonly attemptId: AttemptId;
  readonly state: string;
  readonly responseCode: number | null;
  readonly responseSnippet: string | null;
  readonly latencyMs: number;
  readonly error: string | null;
  readonly rule: number | null;
}>(
  'tests.finish_attempt',
  `UPDATE attempt SET state = $state, response_code = $responseCode, response_snippet = $responseSnippet, latency_ms = $latencyMs, error = $error,
                      rule = $rule
   WHERE attempt_id = $attemptId`,
);
