// GET and PUT /portal/api/buyer/webhook-format: the format of a partner's own webhook, which it may change where the operator allows it
// (contract 13.6).
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';

import { buyerForm } from '../../buyers/buyer-form.rules.ts';
import { editableGate } from '../../buyers/buyer-gates.ts';
import type { Buyer } from '../../buyers/buyer.ts';
import { readBuyer } from '../../buyers/read-buyers.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import type { Refusal } from '../../platform/http/request-fault.ts';
import { ownerRate } from '../../platform/http/route-guard.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { OneAtATime } from '../../platform/one-at-a-time.ts';
import { changeOwnMember, type OwnMemberDependencies } from './change-own-member.ts';
import {
  FORMAT_BYTES,
  type ShownWebhookFormat,
  WebhookFormatChangeSchema,
  WebhookFormatSchema,
} from './webhook-format.schema.ts';

export type PortalWebhookFormatDependencies = OwnMemberDependencies & {
  readonly buyerOf: (buyerKey: string) => Buyer;
  readonly changeAccount: OneAtATime;
};

const PATH = '/api/buyer/webhook-format';
const FIELD = 'webhookFormat';

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
      const { format, version } = request.body;
      const check = async (tx: Tx): Promise<Refusal | null> => {
        const current = await readFormat(tx, ownerKey);
        if (!current.isEditable) return { status: 403, code: 'setting_not_editable' };
        return current.version === version ? null : { status: 409, code: 'configuration_changed' };
      };
      const change = { member: 'webhook', value: format, check } as const;
      const refusal = await changeAccount(ownerKey, () => changeOwnMember(request, change, dependencies));
      if (refusal !== null) return sendProblem(request, reply, refusal);
      return reply.send(await database.tx((tx) => readFormat(tx, ownerKey)));
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
