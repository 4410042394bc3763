// Writes down how a test delivery ended. It is not tried again, counts for no breaker and disables no endpoint (contract 6.14).
import type { AttemptId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { TestResult } from './send-test-delivery.ts';
import { finishTestAttempt } from './test-delivery.sql.ts';

export async function finishTestDelivery(tx: Tx, attemptId: AttemptId, result: TestResult): Promise<void> {
  const { delivered, responseCode, responseSnippet, latencyMs, error } = result;
  const state = delivered ? 'succeeded' : 'failed';
  await tx.query(finishTestAttempt, { attemptId, state, responseCode, responseSnippet, latencyMs, error });
}
