// GET /portal/api/buyer/channels: a partner's delivery channels with their health, and its signing secrets, for the portal's settings.
import { strict as assert } from 'node:assert';

import { type SigningSecrets, readSigningSecrets } from '../../credentials/signing-secrets.ts';
import { readHealth } from '../../endpoints/health.ts';
import { readSettings } from '../../marketplace/stored-settings.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { Buyer, Channel } from '../../buyers/buyer.ts';
import { settingOf, targetOf } from '../../buyers/channel-target.rules.ts';
import { readBuyer } from '../../buyers/read-buyers.ts';
import { type Channels, ChannelsSchema } from './channels.schema.ts';
import { pauseView } from './pause.route.ts';
import type { EndpointState } from '../../endpoints/breaker.rules.ts';

export type PortalChannelsDependencies = { readonly database: Database; readonly clock: Clock };

// Enough to identify the secret, too little to forge a signature.
const SECRET_END = 6;

export function registerPortalChannels(scope: App, { database, clock }: PortalChannelsDependencies): void {
  scope.get('/api/buyer/channels', { schema: { response: { 200: ChannelsSchema } } }, async (request, reply) => {
    const now = clock.now();
    const { ownerKey } = principalOf(request);
    return reply.send(await database.tx((tx) => readChannels(tx, ownerKey, now), { snapshot: true }));
  });
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
