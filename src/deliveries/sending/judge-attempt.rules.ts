// Decides what an attempt needs besides its outcome: whether it is made at all, and what its failure uses up (contract 4.10, 4.12).
import type { Channel } from '../../buyers/buyer.ts';
import { isUsedUp, type JobState } from '../../platform/outbound/retry.rules.ts';

export type AttemptContext = {
  readonly channel: Channel;
  readonly purpose: 'sale' | 'copy' | 'replay';
  readonly job: JobState;
  readonly isErased: boolean;
  /** Since when the endpoint is disabled; null while it is enabled. */
  readonly disabledAt: Date | null;
  /** Since when its breaker is open, of a probe; null of any other attempt. */
  readonly brokenSince: Date | null;
  /** Whether the partner still has this channel. */
  readonly isOfPartner: boolean;
  readonly hasWebhook: boolean;
};

/** The schedule of retries takes 18 h; an endpoint that is away for longer than a day is fixed by hand only. */
export const LONG_BROKEN_MS = 24 * 3_600_000;

/** Why nothing is sent now and nothing will be sent later; null where an attempt is to be made. */
export function whyHopeless(
  { job, purpose, isErased, disabledAt, isOfPartner }: AttemptContext,
  retrySeconds: readonly number[],
): string | null {
  if (isErased) return 'The lead is erased.';
  if (disabledAt !== null) return 'The endpoint is disabled.';
  if (purpose === 'copy' && !isOfPartner) return 'The channel is not in use any more.';
  return isUsedUp(job, retrySeconds) ? 'No attempt is left: earlier ones were interrupted.' : null;
}

type Circumstances = { readonly wasMade: boolean; readonly retrySeconds: readonly number[]; readonly now: Date };

/**
 * The job as it is to be judged. What was never sent was no probe. And where an endpoint that has not worked for a day is not disabled,
 * a probe is the last attempt of its delivery: nothing waits for ever.
 */
export function jobToJudge(
  { job, channel, brokenSince, hasWebhook }: AttemptContext,
  { wasMade, retrySeconds, now }: Circumstances,
): JobState {
  if (!wasMade) return { ...job, isProbe: false };
  const isDisabledInTime = channel === 'webhook' && hasWebhook;
  const isLong = brokenSince !== null && now.getTime() - brokenSince.getTime() >= LONG_BROKEN_MS;
  return isLong && !isDisabledInTime ? { ...job, isProbe: false, steps: retrySeconds.length } : job;
}
