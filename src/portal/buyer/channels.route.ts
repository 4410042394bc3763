// GET and PUT /portal/api/buyer/channels, and a test on one of them: a partner's delivery channels with their health, and its signing
// secrets. The partner switches those that the operator allows (contract 6.16).
import { strict as assert } from 'node:assert';

import { type SigningSecrets, readSigningSecrets } from '../../credentials/signing-secrets.ts';
import type { DeliveryChannels } from '../../deliveries/channels/channel.ts';
import {
  beginTestDelivery,
  finishTestDelivery,
  sendTestDelivery,
  type TestDelivery,
  type TestResult,
} from '../../deliveries/test-delivery/run-test-delivery.ts';
import { readHealth } from '../../endpoints/health.ts';
import { readSettings } from '../../marketplace/stored-settings.ts';
import type { Vertical } from '../../marketplace/verticals.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { jsonResponse, problemResponse } from '../../platform/http/idempotency.ts';
import { respondInSteps } from '../../platform/http/idempotent-steps.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import type { Refusal } from '../../platform/http/request-fault.ts';
import { ownerRate } from '../../platform/http/route-guard.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { OneAtATime } from '../../platform/one-at-a-time.ts';
import type { AllowedTargets } from '../../platform/outbound/target.rules.ts';
import type { Buyer, Channel } from '../../buyers/buyer.ts';
import { editableGate } from '../../buyers/buyer-gates.ts';
import { maskedTargetOf, settingOf, targetOf } from '../../buyers/channel-target.rules.ts';
import { type ChannelFault, channelsFault, ownChannels } from '../../buyers/own-channels.rules.ts';
import { readBuyer } from '../../buyers/read-buyers.ts';
import { changeOwnMember, type OwnMemberDependencies } from './change-own-member.ts';
import {
  type Channels,
  ChannelsChangeSchema,
  ChannelsSchema,
  ChannelTestBody,
  ChannelTestSchema,
} from './channels.schema.ts';
import { pauseView } from './pause.route.ts';
import type { EndpointState } from '../../endpoints/breaker.rules.ts';

export type PortalChannelsDependencies = {
  /** Behind the second wall. */
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Buyer;
  /** Reading the whole configuration is beyond a partner's rights; the route changes nothing but the partner's own channels. */
  readonly change: OwnMemberDependencies;
  readonly changeAccount: OneAtATime;
  readonly channels: DeliveryChannels;
  readonly allowTargets: AllowedTargets;
  /** By key. */
  readonly verticals: () => ReadonlyMap<string, Vertical>;
};

const PATH = '/api/buyer/channels';

// Enough to identify the secret, too little to forge a signature.
const SECRET_END = 6;

export function registerPortalChannels(scope: App, dependencies: PortalChannelsDependencies): void {
  const { database, clock, buyerOf, change, changeAccount } = dependencies;
  const read = (buyerKey: string): Promise<Channels> =>
    database.tx((tx) => readChannels(tx, buyerKey, clock.now()), { snapshot: true });
  scope.get(PATH, { schema: { response: { 200: ChannelsSchema } } }, async (request, reply) =>
    reply.send(await read(principalOf(request).ownerKey)),
  );
  scope.put(
    PATH,
    {
      onRequest: [
        editableGate('channels', buyerOf),
        // As for other changes of the account: each stays in the history for ever.
        ownerRate({ name: 'channel changes', rateOf: () => ({ perSecond: 1, burst: 10 }), clock }),
      ],
      schema: { body: ChannelsChangeSchema, response: { 200: ChannelsSchema } },
    },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { channels: next, seen } = request.body;
      const check = async (tx: Tx): Promise<Refusal | null> => {
        const buyer = await readBuyer(tx, ownerKey);
        assert(buyer !== null, 'an authenticated partner is not in the database');
        if (seen.join() !== buyer.channels.join()) return { status: 409, code: 'configuration_changed' };
        return refusalOf(channelsFault(buyer, next));
      };
      const own = { member: 'channels', value: next, check } as const;
      const refusal = await changeAccount(ownerKey, () => changeOwnMember(request, own, change));
      return refusal === null ? reply.send(await read(ownerKey)) : sendProblem(request, reply, refusal);
    },
  );
  registerChannelTest(scope, dependencies);
}

function refusalOf(fault: ChannelFault | null): Refusal | null {
  if (fault === null) return null;
  const { code, channel } = fault;
  if (code === 'setting_not_editable') {
    return { status: 403, code, detail: `Only the operator switches the channel ${channel} or moves it.` };
  }
  return noTarget(channel);
}

function noTarget(channel: Channel): Refusal {
  const errors = [{ field: settingOf(channel), code: 'missing', message: 'must be set first' }];
  return { status: 422, code: 'validation_failed', errors };
}

/** One sample lead, as real ones are sent there. Not for the webhook, whose test shows the request. */
function registerChannelTest(
  scope: App,
  { database, clock, buyerOf, channels, allowTargets, verticals }: PortalChannelsDependencies,
): void {
  scope.post(
    `${PATH}/test`,
    {
      // Text messages cost the operator money.
      onRequest: ownerRate({ name: 'channel tests', rateOf: () => ({ perSecond: 0.05, burst: 5 }), clock }),
      attachValidation: true,
      schema: { body: ChannelTestBody, response: { 200: ChannelTestSchema } },
    },
    async (request, reply) => {
      const { ownerKey: buyerKey } = principalOf(request);
      const { channel } = request.body;
      const now = clock.now();
      return respondInSteps<TestDelivery, TestResult>({
        ...{ database, request, reply, now },
        async begin(tx) {
          if (!mayTest(buyerOf(buyerKey), channel)) {
            return { response: problemResponse(request, reply, { status: 403, code: 'setting_not_editable' }) };
          }
          const input = { buyerKey, channel, toSend: true, verticals: verticals() };
          const test = await beginTestDelivery(tx, input, now);
          return test.target === null
            ? { response: problemResponse(request, reply, noTarget(channel)) }
            : { started: test };
        },
        outside: (test) => sendTestDelivery(test, { sender: channels[channel], allowTargets }, clock.now()),
        async finish(tx, test, result) {
          await finishTestDelivery(tx, test.attemptId, result);
          const { blocked, delivered, responseCode, error } = result;
          if (blocked !== null) {
            return problemResponse(request, reply, { status: 422, code: 'webhook_url_blocked', detail: blocked });
          }
          const sentTo = maskedTargetOf(channel, test.recipient.settings);
          return jsonResponse(200, { channel, delivered, sentTo, responseCode, error });
        },
      });
    },
  );
}

/** Those that it switches itself, and those that it has where test deliveries are enabled. */
function mayTest(buyer: Buyer, channel: Channel): boolean {
  if (ownChannels(buyer).includes(channel)) return true;
  return buyer.channels.includes(channel) && buyer.betaTools.includes('test-delivery');
}

async function readChannels(tx: Tx, buyerKey: string, now: Date): Promise<Channels> {
  const buyer = await readBuyer(tx, buyerKey);
  assert(buyer !== null, 'an authenticated partner is not in the database');
  const { settings } = await readSettings(tx);
  const secrets = await readSigningSecrets(tx, { kind: 'buyer', key: buyerKey }, now);
  const health = await readHealth(tx, { ownerKind: 'buyer', ownerKey: buyerKey });
  const healthOf = new Map(health.map((state) => [state.channel, state]));
  return {
    marketplaceName: settings.name,
    channels: buyer.channels.map((name, index) => ({
      name,
      isPrimary: index === 0,
      ...targetView(name, buyer),
      trouble: troubleView(healthOf.get(name)),
    })),
    own: ownChannels(buyer),
    pause: pauseView(buyer.ownPause),
    webhookDisabledAt: buyer.endpointDisabledAt?.toISOString() ?? null,
    signing: secrets === null ? null : signingView(secrets),
  };
}

function targetView(name: Channel, { settings }: Buyer) {
  return { setting: settingOf(name), isSet: targetOf(name, settings) !== null };
}

function troubleView(state: EndpointState | undefined): Channels['channels'][number]['trouble'] {
  if (state === undefined) return null;
  const { failures, openedAt, lastError, lastFailedAt } = state;
  return {
    failures,
    waitingSince: openedAt?.toISOString() ?? null,
    lastError,
    lastFailedAt: lastFailedAt.toISOString(),
  };
}

function signingView({ secret, previous }: SigningSecrets): Channels['signing'] {
  return {
    endsIn: secret.slice(-SECRET_END),
    previous:
      previous === null
        ? null
        : { endsIn: previous.secret.slice(-SECRET_END), validUntil: previous.validUntil.toISOString() },
  };
}
