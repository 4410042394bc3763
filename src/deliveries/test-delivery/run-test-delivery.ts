// Makes a test delivery to a partner's webhook, and writes down that its attempt begins (contract 6.14).
import { strict as assert } from 'node:assert';

import { type AttemptId, newUuid } from '../../base/ids.ts';
import { maskedTargetOf } from '../../buyers/channel-target.rules.ts';
import { readBuyer } from '../../buyers/read-buyer.ts';
import { readSigningSecrets } from '../../credentials/read-signing-secrets.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Parcel, Recipient, DeliveryChannel } from '../channels/channel.ts';
import { insertTestAttempt, finishTestAttempt } from './test-delivery.sql.ts';
import { testParcel } from './test-lead.rules.ts';
import { checkTarget } from '../../platform/outbound/check-target.ts';
import type { Resolve } from '../../platform/outbound/resolve-name.ts';
import type { AttemptFacts, SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { type AllowedTargets, NOT_PUBLIC } from '../../platform/outbound/target.rules.ts';

export type TestDelivery = {
  readonly attemptId: AttemptId;
  readonly recipient: Recipient;
  readonly parcel: Parcel;
  /** Null where the partner has set none: there is nothing to send to, and no attempt was begun. */
  readonly webhookUrl: string | null;
};

/** With `toSend` false nothing is written. Whether the endpoint is disabled makes no difference: this is how one finds out. */
export async function beginTestDelivery(
  tx: Tx,
  { buyerKey, toSend }: { buyerKey: string; toSend: boolean },
  now: Date,
): Promise<TestDelivery> {
  const buyer = await readBuyer(tx, buyerKey);
  assert(buyer !== null, 'an authenticated partner is not in the database');
  const { name, timeZone, returnPolicy: policy, settings } = buyer;
  const { webhookUrl } = settings;
  const attemptId = newUuid();
  const isSent = toSend && webhookUrl !== null;
  const secrets = isSent ? await readSigningSecrets(tx, { kind: 'buyer', key: buyerKey }, now) : null;
  if (isSent)
    await tx.query(insertTestAttempt, { attemptId, buyerKey, target: maskedTargetOf('webhook', settings), now });
  const ownSecrets =
    secrets === null ? [] : [secrets.secret, ...(secrets.previous === null ? [] : [secrets.previous.secret])];
  return {
    attemptId,
    recipient: { buyerKey, name, timeZone, settings, secrets: ownSecrets },
    parcel: testParcel(attemptId, { policy, timeZone, now }),
    webhookUrl,
  };
}

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

export async function finishTestDelivery(tx: Tx, attemptId: AttemptId, result: TestResult): Promise<void> {
  const { delivered, responseCode, responseSnippet, latencyMs, error } = result;
  const state = delivered ? 'succeeded' : 'failed';
  await tx.query(finishTestAttempt, { attemptId, state, responseCode, responseSnippet, latencyMs, error });
}
