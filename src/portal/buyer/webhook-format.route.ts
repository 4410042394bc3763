// GET and PUT /portal/api/buyer/webhook-format: the format of a partner's own webhook, which it may change where the operator allows it
// (contract 13.6).
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { partnerAuthor } from '../../audit/request-author.ts';
import { typeId } from '../../base/ids.ts';
import { buyerForm } from '../../buyers/buyer-form.rules.ts';
import { editableGate } from '../../buyers/buyer-gates.ts';
import type { Buyer } from '../../buyers/buyer.ts';
import { readBuyer } from '../../buyers/read-buyers.ts';
import { changeConfiguration } from '../../marketplace-file/change-configuration.ts';
import { readInput } from '../../marketplace-file/read-input.ts';
import { lockConfigVersion } from '../../marketplace/config-version.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import type { Refusal } from '../../platform/http/request-fault.ts';
import { ownerRate } from '../../platform/http/route-guard.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { OneAtATime } from '../../platform/one-at-a-time.ts';
import type { AllowedTargets } from '../../platform/outbound/target.rules.ts';
import {
  FORMAT_BYTES,
  type ShownWebhookFormat,
  WebhookFormatChangeSchema,
  type WebhookFormatChange,
  WebhookFormatSchema,
} from './webhook-format.schema.ts';

export type PortalWebhookFormatDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Buyer;
  readonly allowTargets: AllowedTargets;
  /** Applies the change in this process at once; the other processes apply it within a second. */
  readonly refresh: () => Promise<unknown>;
  readonly changeAccount: OneAtATime;
};

const PATH = '/api/buyer/webhook-format';
const FIELD = 'webhookFormat';
/** As the position of the format in the fragment that is read. */
const PREFIX = 'partners[0].webhook';

export function registerPortalWebhookFormat(scope: App, dependencies: PortalWebhookFormatDependencies): void {
  const { database, buyerOf, clock, changeAccount } = dependencies;
  scope.get(PATH, { schema: { response: { 200: WebhookFormatSchema } } }, async (request, reply) => {
    const { ownerKey } = principalOf(request);
    return reply.send(await database.tx((tx) => readFormat(tx, ownerKey)));
  });
  scope.put(
    PATH,
    {
      onRequest: [
        editableGate(FIELD, buyerOf),
        // As for other changes of the account: each stays in the history for ever.
        ownerRate({ name: 'webhook format changes', rateOf: () => ({ perSecond: 1, burst: 10 }), clock }),
      ],
      bodyLimit: FORMAT_BYTES,
      schema: { body: WebhookFormatChangeSchema, response: { 200: WebhookFormatSchema } },
    },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      return changeAccount(ownerKey, () => changeFormat(request, reply, dependencies));
    },
  );
}

async function readFormat(tx: Tx, buyerKey: string): Promise<ShownWebhookFormat> {
  const buyer = await readBuyer(tx, buyerKey);
  assert(buyer !== null, 'an authenticated partner is missing from the database');
  const format = buyerForm(buyer)['webhook'] as ShownWebhookFormat['format'];
  const version = createHash('sha256').update(JSON.stringify(format)).digest('base64url');
  return { format, isEditable: buyer.editableFields.includes(FIELD), version };
}

type ChangeRequest = FastifyRequest<{ Body: WebhookFormatChange }>;

async function changeFormat(
  request: ChangeRequest,
  reply: FastifyReply,
  { database, clock, allowTargets, refresh }: PortalWebhookFormatDependencies,
): Promise<FastifyReply> {
  const { ownerKey, credentialId } = principalOf(request);
  const { format, version } = request.body;
  const fragment = { partners: [{ key: ownerKey, webhook: format }] };
  const outcome = await database.tx(async (tx): Promise<Refusal | null> => {
    // The operator may have withdrawn the permission since the request was admitted.
    await lockConfigVersion(tx);
    const current = await readFormat(tx, ownerKey);
    if (!current.isEditable) return { status: 403, code: 'setting_not_editable' };
    if (current.version !== version) return { status: 409, code: 'configuration_changed' };
    const read = await readInput(tx, { fragment, isNew: false }, { allowTargets });
    if (!read.ok) return invalid(read.faults);
    const { file, things } = read;
    const change = {
      ...{ file, things, seen: null, dryRun: false, prune: false },
      ...partnerAuthor(request, 'buyer', typeId('token', credentialId)),
    };
    const changed = await changeConfiguration(tx, change, clock.now());
    if (changed.ok) return null;
    return changed.code === 'faulty' ? invalid(changed.faults) : { status: 409, code: changed.code };
  });
  if (outcome !== null) return sendProblem(request, reply, outcome);
  await refresh().catch((error: unknown) =>
    request.log.warn({ err: error }, 'refreshing the configuration failed; it is retried within a second'),
  );
  return reply.send(await database.tx((tx) => readFormat(tx, ownerKey)));
}

function invalid(faults: ReadonlyArray<{ readonly path: string; readonly message: string }>): Refusal {
  const errors = faults.map(({ path, message }) => ({
    field: path.startsWith(PREFIX) ? path.slice(PREFIX.length + 1) : path,
    code: 'invalid',
    message,
  }));
  return { status: 422, code: 'validation_failed', errors };
}
