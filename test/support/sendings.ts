// Controls sendings by hand: a due sending is started, and ends as the test defines.
import { beginAttempts, dueQueues, type StartedAttempt } from '../../src/deliveries/sending/begin-attempts.ts';
import { type AttemptResult, finishAttempts, type FinishReport } from '../../src/deliveries/sending/finish-attempts.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import type { Tx } from '../../src/platform/database/database.ts';
import type { HttpOutcome } from '../../src/platform/outbound/http-outcome.ts';
import type { Judgement } from '../../src/platform/outbound/retry.rules.ts';
import { outcomeOfHttp, type SendOutcome } from '../../src/platform/outbound/send-outcome.ts';

const LEASE_MS = 40_000;

/** At most `jobs` of each endpoint queue. */
export async function beginDue(tx: Tx, now: Date, jobs: number): Promise<StartedAttempt[]> {
  const { probeSeconds } = defaultSettings.breaker;
  const queues = (await dueQueues(tx, probeSeconds, now)).map((queue) => ({ ...queue, jobs }));
  return beginAttempts(tx, { queues, leaseMs: LEASE_MS, probeSeconds }, now);
}

export function resultOf(attempt: StartedAttempt, outcome: SendOutcome, judgement: Judgement): AttemptResult {
  return { ...attempt, outcome, judgement, wasTried: true };
}

/** The breaker stays closed unless the test opens it. */
export function finishWith(
  tx: Tx,
  results: readonly AttemptResult[],
  now: Date,
  failures = Number.MAX_SAFE_INTEGER,
): Promise<FinishReport> {
  return finishAttempts(tx, results, { breaker: { failures, probeSeconds: 30 }, now });
}

export function responded(
  status: number,
  { retryAfter = null, now = new Date(0) }: { retryAfter?: string | null; now?: Date } = {},
): SendOutcome {
  return outcomeOfHttp({ kind: 'response', status, snippet: null, latencyMs: 40, retryAfter, location: null }, now);
}

export function broke(receipt: 'no' | 'unknown'): SendOutcome {
  const outcome: HttpOutcome = {
    kind: 'error',
    error: receipt === 'no' ? 'refused' : 'reset',
    message: 'It broke.',
    receipt,
    latencyMs: 1,
  };
  return outcomeOfHttp(outcome, new Date(0));
}
