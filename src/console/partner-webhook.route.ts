// The console's work on a partner's custom webhook: previews with a sample lead and with a delivery, a test, the latest responses, and named
// secrets, whose values no response has (contract 13.3, 13.6).
import { requestAuthor } from '../audit/request-author.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import { checkSecret } from '../credentials/partner-secret.rules.ts';
import { listPartnerSecrets, removePartnerSecret, setPartnerSecret } from '../credentials/partner-secrets.ts';
import type { DeliveryChannels } from '../deliveries/channels/channel.ts';
import { sampleParcel, storedParcel } from '../deliveries/test-delivery/preview-webhook.ts';
import {
  respondToTestDelivery,
  type TestDeliveryExtras,
} from '../deliveries/test-delivery/test-delivery-response.route.ts';
import { readWebhookResponses } from '../deliveries/webhook-responses.ts';
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
  DeliveryPreviewBodySchema,
  DeliveryPreviewSchema,
  LeadResponsesSchema,
  PreviewBodySchema,
  SecretsSchema,
  WebhookPreviewSchema,
} from '../scopes/webhook-trial.schema.ts';
import { shownPreview, shownSecrets, shownTestRequest } from '../scopes/webhook-trial.ts';
import {
  NewSecretSchema,
  RemovedSecretSchema,
  SecretParams,
  SetSecretSchema,
  WebhookTestBodySchema,
  WebhookTestSchema,
} from './partner-webhook.schema.ts';

const NO_PARTNER: Refusal = { status: 404, code: 'not_found', detail: 'There is no such partner.' };
const NO_DELIVERY: Refusal = {
  status: 404,
  code: 'delivery_not_found',
  detail: 'The partner has no such delivery.',
};
const NO_SECRET: Refusal = { status: 404, code: 'not_found', detail: 'There is no such secret.' };

export type PartnerWebhookDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly channels: DeliveryChannels;
  readonly allowTargets: AllowedTargets;
  readonly secretKeys: SecretKeys;
  readonly verticals: () => ReadonlyMap<string, Vertical>;
};

export function registerPartnerWebhook(scope: App, dependencies: PartnerWebhookDependencies): void {
  registerPreview(scope, dependencies);
  registerResponses(scope, dependencies);
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
        return { buyer, verticals, parcel: await sampleParcel(tx, buyer, { verticals, now: clock.now() }) };
      });
      if (found === null) return sendProblem(request, reply, NO_PARTNER);
      return reply.send(shownPreview(request.body, found));
    },
  );
  // What a template makes of a person's data cannot be masked: it is for operators who may read it.
  scope.post(
    '/api/partners/:ownerKey/webhook/preview-delivery',
    {
      config: { permission: 'persons', reveals: 'record' },
      schema: { params: OwnerParams, body: DeliveryPreviewBodySchema, response: { 200: DeliveryPreviewSchema } },
    },
    async (request, reply) => {
      const { deliveryId: id, ...stated } = request.body;
      const deliveryId = uuidOf('delivery', id);
      const found = await database.tx(async (tx) => {
        const buyer = await readBuyer(tx, request.params.ownerKey);
        if (buyer === null) return NO_PARTNER;
        const stored = deliveryId === null ? null : await storedParcel(tx, buyer, deliveryId, clock.now());
        return stored === null ? NO_DELIVERY : { buyer, verticals: await readVerticals(tx), ...stored };
      });
      if ('status' in found) return sendProblem(request, reply, found);
      return reply.send({ ...shownPreview(stated, found), leadId: typeId('lead', found.leadId) });
    },
  );
}

function registerResponses(scope: App, { database }: PartnerWebhookDependencies): void {
  scope.get(
    '/api/partners/:ownerKey/webhook/responses',
    {
      // A partner's words in an error may quote the person as well.
      config: { permission: 'read', reveals: 'record', personMembers: ['error'] },
      schema: { params: OwnerParams, response: { 200: LeadResponsesSchema } },
    },
    async (request, reply) => {
      const { ownerKey } = request.params;
      const found = await database.tx(async (tx) =>
        (await readBuyer(tx, ownerKey)) === null ? null : readWebhookResponses(tx, ownerKey),
      );
      if (found === null) return sendProblem(request, reply, NO_PARTNER);
      return reply.send({
        data: found.map(({ leadId, ...response }) => ({
          ...response,
          leadId: leadId === null ? null : typeId('lead', leadId),
        })),
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
        sent: (test, _at, { rule }) => ({ request: shownTestRequest(test).request, rule }),
      };
      return respondToTestDelivery(request, reply, { services: dependencies, extras, buyerKey });
    },
  );
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
      return reply.send(shownSecrets(secrets));
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
