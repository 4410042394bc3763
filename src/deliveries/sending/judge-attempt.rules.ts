// Decides whether an attempt is made at all, and whether its failure uses up a retry step (contract 4.10, 4.12).
import type { Channel } from '../../buyers/buyer.ts';
import { isUsedUp, type JobState } from '../../platform/outbound/retry.rules.ts';

export type AttemptContext = {
  readonly channel: Channel;
  readonly purpose: 'sale' | 'copy' | 'replay';
  readonly job: JobState;
  readonly isErased: boolean;
  /** When the endpoint was disabled; null while it is enabled. */
  readonly disabledAt: Date | null;
  /** Probes only: when the endpoint's breaker opened; null for other attempts. */
  readonly breakerOpenSince: Date | null;
  /** Whether the partner still uses this channel. */
  readonly isOfPartner: boolean;
  readonly hasWebhook: boolean;
};

/** The schedule of retries takes 18 h; an endpoint that fails for longer than a day needs to be fixed by hand. */
export const LONG_BROKEN_MS = 24 * 3_600_000;

/** Why the job is given up without an attempt; null if an attempt is to be made. */
export function reasonNotToSend(
  { job, purpose, isErased, disabledAt, isOfPartner }: AttemptContext,
  retrySeconds: readonly number[],
): string | null {
  if (isErased) return 'The lead is erased.';
  if (disabledAt !== null) return 'The endpoint is disabled.';
  if (purpose === 'copy' && !isOfPartner) return 'The channel is no longer in use.';
  return isUsedUp(job, retrySeconds) ? 'No attempt is left: earlier ones were interrupted.' : null;
}

type Circumstances = { readonly wasMade: boolean; readonly retrySeconds: readonly number[]; readonly now: Date };

/**
 * Adjusts the job before its result is judged. An attempt that sent nothing was no probe. And if an endpoint has failed for a day and
 * cannot be disabled, its probe is the last attempt of that delivery, so that no delivery waits for ever.
 */
export function jobToJudge(
  { job, channel, breakerOpenSince, hasWebhook }: AttemptContext,
  { wasMade, retrySeconds, now }: Circumstances,
): JobState {
  if (!wasMade) return { ...job, isProbe: false };
  const canBeDisabled = channel === 'webhook' && hasWebhook;
  const isLong = breakerOpenSince !== null && now.getTime() - breakerOpenSince.getTime() >= LONG_BROKEN_MS;
  return isLong && !canBeDisabled ? { ...job, isProbe: false, steps: retrySeconds.length } : job;
}
