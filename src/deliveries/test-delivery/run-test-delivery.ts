// Makes a test delivery on one of a partner's channels, and writes down that its attempt begins (contract 6.14).
import { strict as assert } from 'node:assert';

import { type AttemptId, newUuid } from '../../base/ids.ts';
import { readVerticalsBought } from '../../buyers/own-columns.ts';
import { maskedTargetOf, targetOf } from '../../buyers/channel-target.rules.ts';
import type { Channel } from '../../buyers/buyer.ts';
import { readBuyer } from '../../buyers/read-buyers.ts';
import { readSealedSecrets } from '../../credentials/partner-secrets.ts';
import { readSigningSecrets } from '../../credentials/signing-secrets.ts';
import type { Vertical } from '../../marketplace/verticals.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Parcel, Recipient, DeliveryChannel } from '../channels/channel.ts';
import { insertTestAttempt, finishTestAttempt } from './test-delivery.sql.ts';
import { testParcel } from './test-lead.rules.ts';
import { checkTarget } from '../../platform/outbound/check-target.ts';
import type { Resolve } from '../../platform/outbound/resolve-name.ts';
import { type AttemptFacts, factsOf, type SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { type AllowedTargets, NOT_PUBLIC } from '../../platform/outbound/target.rules.ts';

export type TestDelivery = {
  readonly attemptId: AttemptId;
  readonly recipient: Recipient;
  readonly parcel: Parcel;
  readonly channel: Channel;
  /** The webhook URL, email address or other target. Null if the partner has none: no attempt was begun. */
  readonly target: string | null;
};

type TestInput = {
  readonly buyerKey: string;
  readonly channel: Channel;
  readonly toSend: boolean;
  /** By key. */
  readonly verticals: ReadonlyMap<string, Vertical>;
};

/** The lead is of the first vertical that the partner buys from. Writes nothing if `toSend` is false. A disabled endpoint is tested as well, so that the partner can see whether it works again. */
export async function beginTestDelivery(
  tx: Tx,
  { buyerKey, channel, toSend, verticals }: TestInput,
  now: Date,
): Promise<TestDelivery> {
  const buyer = await readBuyer(tx, buyerKey);
  assert(buyer !== null, 'an authenticated partner is not in the database');
  const { name, timeZone, returnPolicy: policy, settings, webhook } = buyer;
  const target = targetOf(channel, settings);
  const [vertical] = await readVerticalsBought(tx, buyerKey);
  const attemptId = newUuid();
  const isSent = toSend && target !== null;
  const secrets = isSent ? await readSigningSecrets(tx, { kind: 'buyer', key: buyerKey }, now) : null;
  if (isSent)
    await tx.query(insertTestAttempt, {
      ...{ attemptId, buyerKey, channel, target: maskedTargetOf(channel, settings), now },
    });
  const ownSecrets =
    secrets === null ? [] : [secrets.secret, ...(secrets.previous === null ? [] : [secrets.previous.secret])];
  const custom =
    webhook === null
      ? null
      : { format: JSON.stringify(webhook), secrets: isSent ? await readSealedSecrets(tx, buyerKey) : [] };
  return {
    attemptId,
    recipient: { buyerKey, name, timeZone, settings, secrets: ownSecrets, custom, ownColumns: [] },
    parcel: testParcel(attemptId, { policy, timeZone, vertical: verticals.get(vertical ?? '') ?? null, now }),
    channel,
    target,
  };
}

export type TestResult = Omit<AttemptFacts, 'rule'> & {
  readonly delivered: boolean;
  /** Why sending to the URL is not allowed; null if it is. */
  readonly blocked: string | null;
  /** The rule of a custom format that read the response, from 0; null if none did. */
  readonly rule: number | null;
};

export type SendOptions = {
  /** Of the same name as the channel of the test. */
  readonly sender: DeliveryChannel;
  readonly allowTargets: AllowedTargets;
  readonly resolve?: Resolve;
};

const NOTHING: AttemptFacts = { responseCode: null, responseSnippet: null, latencyMs: 0, error: null };

/** Sends once, through the channel of real deliveries. No transaction may be open. Takes at most 23 s: a name lookup and a request. */
export async function sendTestDelivery(
  { recipient, parcel, channel, target }: TestDelivery,
  { sender, ...rules }: SendOptions,
  now: Date,
): Promise<TestResult> {
  const reason = URL_CHANNELS.includes(channel) ? await blockedReason(target ?? '', rules) : null;
  if (reason !== null) return { ...NOTHING, error: reason, delivered: false, blocked: reason, rule: null };
  const [outcome] = await sender.send(recipient, [parcel], now);
  const facts = testFactsOf(outcome);
  // The name may resolve to another address when the socket opens.
  const blocked = facts.error === NOT_PUBLIC ? facts.error : null;
  return { ...facts, rule: facts.rule ?? null, delivered: outcome?.kind === 'taken', blocked };
}

/** Those whose target is a URL of the partner. */
const URL_CHANNELS: readonly Channel[] = ['webhook', 'sheets_script'];

async function blockedReason(url: string, rules: Omit<SendOptions, 'sender'>): Promise<string | null> {
  const verdict = await checkTarget(url, rules);
  return verdict.ok ? null : verdict.reason;
}

function testFactsOf(outcome: SendOutcome | undefined): AttemptFacts {
  if (outcome === undefined || outcome.kind === 'deferred')
    return { ...NOTHING, error: 'The message could not be sent.' };
  const facts = factsOf(outcome);
  return { ...facts, latencyMs: Math.round(facts.latencyMs) };
}

/** Logs the result. A test is not retried, and counts neither for the breaker nor for disabling the endpoint. */
export async function finishTestDelivery(tx: Tx, attemptId: AttemptId, result: TestResult): Promise<void> {
  const { delivered, responseCode, responseSnippet, latencyMs, error, rule } = result;
  const state = delivered ? 'succeeded' : 'failed';
  await tx.query(finishTestAttempt, { attemptId, state, responseCode, responseSnippet, latencyMs, error, rule });
}
