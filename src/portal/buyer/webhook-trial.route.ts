// What a partner sees of its own webhook's format at work: a preview with a sample lead, the latest responses with the rules that read them, and
// the names of its secrets (contract 13.6).
import { strict as assert } from 'node:assert';

import type { Buyer } from '../../buyers/buyer.ts';
import { readBuyer } from '../../buyers/read-buyers.ts';
import { listPartnerSecrets } from '../../credentials/partner-secrets.ts';
import { sampleParcel } from '../../deliveries/test-delivery/preview-webhook.ts';
import { readWebhookResponses } from '../../deliveries/webhook-responses.ts';
import type { Vertical } from '../../marketplace/verticals.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { SecretKeys } from '../../platform/secrets/secret-keys.ts';
import {
  PreviewBodySchema,
  SecretsSchema,
  WebhookPreviewSchema,
  WebhookResponsesSchema,
} from '../../scopes/webhook-trial.schema.ts';
import { shownPreview, shownSecrets } from '../../scopes/webhook-trial.ts';
import { FORMAT_BYTES } from './webhook-format.schema.ts';

export type PortalWebhookTrialDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'editableFields'>;
  /** By key. */
  readonly verticals: () => ReadonlyMap<string, Vertical>;
  readonly secretKeys: SecretKeys;
};

const PATH = '/api/buyer/webhook-format';

export function registerPortalWebhookTrial(scope: App, dependencies: PortalWebhookTrialDependencies): void {
  const { database, secretKeys } = dependencies;
  registerPreview(scope, dependencies);
  scope.get(`${PATH}/responses`, { schema: { response: { 200: WebhookResponsesSchema } } }, async (request, reply) => {
    const { ownerKey } = principalOf(request);
    const found = await database.tx((tx) => readWebhookResponses(tx, ownerKey));
    return reply.send({ data: found.map(({ leadId: _internal, ...response }) => response) });
  });
  scope.get(`${PATH}/secrets`, { schema: { response: { 200: SecretsSchema } } }, async (request, reply) => {
    return reply.send(shownSecrets(await listPartnerSecrets(database, principalOf(request).ownerKey, secretKeys)));
  });
}

function registerPreview(
  scope: App,
  { database, clock, buyerOf, verticals: currentVerticals }: PortalWebhookTrialDependencies,
): void {
  scope.post(
    `${PATH}/preview`,
    { bodyLimit: FORMAT_BYTES, schema: { body: PreviewBodySchema, response: { 200: WebhookPreviewSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      if (request.body.webhook !== undefined && !buyerOf(ownerKey).editableFields.includes('webhookFormat')) {
        return sendProblem(request, reply, { status: 403, code: 'setting_not_editable' });
      }
      const verticals = currentVerticals();
      const { buyer, parcel } = await database.tx(async (tx) => {
        const own = await readBuyer(tx, ownerKey);
        assert(own !== null, 'an authenticated partner is missing from the database');
        return { buyer: own, parcel: await sampleParcel(tx, own, { verticals, now: clock.now() }) };
      });
      return reply.send(shownPreview(request.body, { buyer, parcel, verticals }));
    },
  );
}
