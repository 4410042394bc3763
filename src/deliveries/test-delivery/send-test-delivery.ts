// Sends a test through the channel of real deliveries, once, and says whether it was let out at all (contract 6.14).
import { checkTarget } from '../../platform/outbound/check-target.ts';
import type { Resolve } from '../../platform/outbound/resolve-name.ts';
import type { AttemptFacts, SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { type AllowedTargets, NOT_PUBLIC } from '../../platform/outbound/target.rules.ts';
import type { TestDelivery } from './begin-test-delivery.ts';
import type { DeliveryChannel } from '../channels/channel.ts';

export type TestResult = AttemptFacts & {
  readonly delivered: boolean;
  /** Why the URL may not be sent to; null where it may. */
  readonly blocked: string | null;
};

export type TestWay = {
  readonly webhook: DeliveryChannel;
  readonly allowTargets: AllowedTargets;
  readonly resolve?: Resolve;
};

const NOTHING: AttemptFacts = { responseCode: null, responseSnippet: null, latencyMs: 0, error: null };

/** No transaction may be open. Takes at most 23 s: the look-up of the name, and a sending. */
export async function sendTestDelivery(
  { recipient, parcel, webhookUrl }: TestDelivery,
  { webhook, ...rules }: TestWay,
  now: Date,
): Promise<TestResult> {
  const verdict = await checkTarget(webhookUrl ?? '', rules);
  if (!verdict.ok) return { ...NOTHING, error: verdict.reason, delivered: false, blocked: verdict.reason };
  const [outcome] = await webhook.send(recipient, [parcel], now);
  const facts = factsOf(outcome);
  // The name may lead elsewhere by the time the socket opens.
  return { ...facts, delivered: outcome?.kind === 'taken', blocked: facts.error === NOT_PUBLIC ? facts.error : null };
}

function factsOf(outcome: SendOutcome | undefined): AttemptFacts {
  if (outcome === undefined || outcome.kind === 'deferred')
    return { ...NOTHING, error: 'The message could not be sent.' };
  const { responseCode, responseSnippet, latencyMs, error } = outcome;
  return { responseCode, responseSnippet, latencyMs: Math.round(latencyMs), error };
}
