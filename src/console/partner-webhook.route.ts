// The console's work on a partner's custom webhook: preview with a sample lead, a test, and named secrets, whose values no response has
// (contract 13.3).
import { requestAuthor } from '../audit/request-author.ts';
import type { WebhookFormat } from '../buyers/buyer.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import { checkSecret } from '../credentials/partner-secret.rules.ts';
import { listPartnerSecrets, removePartnerSecret, setPartnerSecret } from '../credentials/partner-secrets.ts';
import type { DeliveryChannel } from '../deliveries/channels/channel.ts';
import { previewWebhook, readStatedFormat, sampleParcel } from '../deliveries/test-delivery/preview-webhook.ts';
import type { TestDelivery } from '../deliveries/test-delivery/run-test-delivery.ts';
import {
  respondToTestDelivery,
  type TestDeliveryExtras,
} from '../deliveries/test-delivery/test-delivery-response.route.ts';
import { ownNamesOf } from '../leads/supplier-verticals.rules.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { jsonResponse, problemResponse, respondIdempotently } from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import { OwnerParams } from './credentials.schema.ts';
import {
  NewSecretSchema,
  PreviewBodySchema,
  RemovedSecretSchema,
  SecretParams,
  SecretsSchema,
  SetSecretSchema,
  type WebhookPreview,
  WebhookPreviewSchema,
  WebhookTestBodySchema,
  WebhookTestSchema,
} from './partner-webhook.schema.ts';

const NO_PARTNER: Refusal = { status: 404, code: 'not_found', detail: 'There is no such partner.' };
const NO_SECRET: Refusal = { status: 404, code: 'not_found', detail: 'There is no such secret.' };

export type PartnerWebhookDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly webhook: DeliveryChannel;
  readonly allowTargets: AllowedTargets;
  readonly secretKeys: SecretKeys;
  readonly verticals: () => ReadonlyMap<string, Vertical>;
};

export function registerPartnerWebhook(scope: App, dependencies: PartnerWebhookDependencies): void {
  registerPreview(scope, dependencies);
  registerTest(scope, dependencies);
  registerSecrets(scope, dependencies);
  registerRemoval(scope, dependencies);
}

function registerPreview(scope: App, { database, clock }: PartnerWebhookDependencies): void {
  scope.post(
    '/api/partners/:ownerKey/webhook/preview',
    {
      config: { permission: 'read' },
      schema: { params: OwnerParams, body: PreviewBodySchema, response: { 200: WebhookPreviewSchema } },
    },
    async (request, reply) => {
      const found = await database.tx(async (tx) => {
        const buyer = await readBuyer(tx, request.params.ownerKey);
        if (buyer === null) return null;
        const verticals = await readVerticals(tx);
        const parcel = await sampleParcel(tx, buyer, { verticals, now: clock.now() });
        return { buyer, parcel, ownNames: new Set(ownNamesOf(verticals)) };
      });
      if (found === null) return sendProblem(request, reply, NO_PARTNER);
      const { buyer, parcel, ownNames } = found;
      const { webhook } = request.body;
      const stated =
        webhook === undefined ? ({ ok: true, format: buyer.webhook } as const) : readStatedFormat(webhook, ownNames);
      if (!stated.ok) return reply.send({ request: null, error: null, faults: [...stated.faults] });
      const preview = previewWebhook(buyer, { format: stated.format, parcel });
      return reply.send({
        request: preview.request === null ? null : { ...preview.request, headers: { ...preview.request.headers } },
        ...{ error: preview.error, faults: [] },
      });
    },
  );
}

function registerTest(scope: App, dependencies: PartnerWebhookDependencies): void {
  const { database } = dependencies;
  scope.post(
    '/api/partners/:ownerKey/webhook/test',
    {
      config: { permission: 'configure' },
      schema: { params: OwnerParams, body: WebhookTestBodySchema, response: { 200: WebhookTestSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const { ownerKey: buyerKey } = request.params;
      if ((await readBuyer(database, buyerKey)) === null) return sendProblem(request, reply, NO_PARTNER);
      const extras: TestDeliveryExtras = {
        preview: () => ({}),
        sent: (test, _at, { rule }) => ({ request: requestOf(test), rule }),
      };
      return respondToTestDelivery(request, reply, { services: dependencies, extras, buyerKey });
    },
  );
}

/** The request as it was sent, with secrets hidden: the same delivery gives the same request. */
function requestOf({ recipient: { buyerKey, settings, custom }, parcel }: TestDelivery): WebhookPreview['request'] {
  if (custom === null) return null;
  const { request } = previewWebhook(
    { buyerKey, settings },
    { format: JSON.parse(custom.format) as WebhookFormat, parcel },
  );
  return request === null ? null : { ...request, headers: { ...request.headers } };
}

function registerSecrets(scope: App, { database, clock, secretKeys: keys }: PartnerWebhookDependencies): void {
  scope.get(
    '/api/partners/:ownerKey/secrets',
    {
      config: { permission: 'read' },
      schema: { params: OwnerParams, response: { 200: SecretsSchema } },
    },
    async (request, reply) => {
      const secrets = await listPartnerSecrets(database, request.params.ownerKey, keys);
      return reply.send({
        data: secrets.map(({ name, createdAt, updatedAt, isReadable }) => ({
          ...{ name, isReadable },
          createdAt: createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
        })),
      });
    },
  );
  scope.post(
    '/api/partners/:ownerKey/secrets',
    {
      config: { permission: 'credentials' },
      schema: { params: OwnerParams, body: NewSecretSchema, response: { 200: SetSecretSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { ownerKey: buyerKey } = request.params;
          if ((await readBuyer(tx, buyerKey)) === null) return problemResponse(request, reply, NO_PARTNER);
          const fault = checkSecret(request.body);
          if (fault !== null) return problemResponse(request, reply, faulty(fault.member, fault.message));
          const outcome = await setPartnerSecret(
            tx,
            { buyerKey, ...request.body, ...requestAuthor(request) },
            { keys, now },
          );
          return outcome.ok
            ? jsonResponse(200, { name: request.body.name, ...outcome.value })
            : problemResponse(request, reply, faulty('name', 'would be one secret too many'));
        },
      });
    },
  );
}

function faulty(field: string, message: string): Refusal {
  return { status: 422, code: 'validation_failed', errors: [{ field, code: 'invalid_value', message }] };
}

function registerRemoval(scope: App, { database, clock }: PartnerWebhookDependencies): void {
  scope.post(
    '/api/partners/:ownerKey/secrets/:name/remove',
    {
      config: { permission: 'credentials', emptyBody: true },
      schema: { params: SecretParams, response: { 200: RemovedSecretSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { ownerKey: buyerKey, name } = request.params;
          const isRemoved = await removePartnerSecret(tx, { buyerKey, name, ...requestAuthor(request) }, now);
          return isRemoved ? jsonResponse(200, { name }) : problemResponse(request, reply, NO_SECRET);
        },
      });
    },
  );
}
