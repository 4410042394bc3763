// GET and PATCH /api/v1/buyer/account: reads the partner's account and changes its settings (contract 6.16).
import { strict as assert } from 'node:assert';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { partnerAuthor } from '../audit/request-author.ts';
import { typeId } from '../base/ids.ts';
import type { Members } from '../base/json.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { entityTag, etag, IfNoneMatch, meetsIfMatch } from '../platform/http/etag.ts';
import { ownerRate } from '../platform/http/route-guard.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { Rate } from '../platform/http/token-bucket.rules.ts';
import type { OneAtATime } from '../platform/one-at-a-time.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { textValidator } from '../platform/http/validation.ts';
import { type PatchReading, readAccountPatch } from './account-patch.rules.ts';
import { AccountPatchSchema, AccountSchema, accountView } from './account.schema.ts';
import type { Buyer } from './buyer.ts';
import { checkPatchTargets, patchAccount } from './patch-account.ts';
import { readBuyer } from './read-buyers.ts';

export type AccountDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'editableFields' | 'rateLimit'>;
  readonly currency: () => string;
  readonly allowTargets: AllowedTargets;
  /** Applies the change in this process at once; the other processes apply it within a second. */
  readonly refresh: () => Promise<unknown>;
  /** All account changes wait for one database lock; this queues them in the process before they take a connection. */
  readonly changeAccount: OneAtATime;
};

const PATH = '/api/v1/buyer/account';
const JSON_TYPE = 'application/json; charset=utf-8';

export function registerAccount(scope: App, dependencies: AccountDependencies): void {
  for (const schema of [AccountSchema, AccountPatchSchema]) scope.addSchema(schema);
  registerRead(scope, dependencies);
  registerPatch(scope, dependencies);
}

function registerRead(scope: App, { database, currency }: AccountDependencies): void {
  scope.get(
    PATH,
    {
      onSend: etag,
      config: { responseHeaders: ['ETag'] },
      schema: {
        operationId: 'getAccount',
        summary: 'Read your account',
        description: 'Has an `ETag`; with `If-None-Match` the response is 304 while nothing has changed.',
        tags: ['Buyer'],
        headers: IfNoneMatch,
        response: {
          200: Type.Ref('Account'),
          304: { type: 'null', description: 'Nothing has changed.' },
          ...documentedProblems('partner_suspended'),
        },
      },
      serializerCompiler: () => (text) => String(text),
    },
    async (request, reply) => {
      // Not from the cache: a partner must read its own write, whichever process it went through.
      const buyer = await readBuyer(database, principalOf(request).ownerKey);
      assert(buyer !== null, 'an authenticated partner is missing from the database');
      return reply.header('content-type', JSON_TYPE).send(bodyOf(buyer, currency()));
    },
  );
}

function registerPatch(scope: App, dependencies: AccountDependencies): void {
  const { database, clock, currency, refresh, buyerOf, changeAccount } = dependencies;
  const rateOf = (buyerKey: string): Rate => changeRate(buyerOf(buyerKey).rateLimit);
  scope.patch(
    PATH,
    {
      onRequest: ownerRate({ name: 'account changes', rateOf, clock }),
      config: { responseHeaders: ['ETag'] },
      schema: {
        operationId: 'updateAccount',
        summary: 'Change your settings',
        description:
          'Changes the named settings, all or none, and returns the account. A `webhookUrl`, even an unchanged one, enables a disabled endpoint again. With `If-Match` nothing is changed unless the account still has that `ETag`.',
        tags: ['Buyer'],
        headers: Type.Object({
          'If-Match': Type.Optional(Type.String({ description: 'The `ETag` of the account as you read it.' })),
        }),
        body: Type.Ref('AccountPatch'),
        response: {
          200: Type.Ref('Account'),
          ...documentedProblems('partner_suspended', 'precondition_failed', 'validation_failed'),
        },
      },
      serializerCompiler: () => (text) => String(text),
      // `readAccountPatch` validates the body.
      validatorCompiler: textValidator,
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey: buyerKey, credentialId } = principalOf(request);
      const reading = await readPatch(request, buyerKey, dependencies);
      const change = {
        buyerKey,
        reading,
        isExpected: (buyer: Buyer) =>
          meetsIfMatch(request.raw.headers['if-match'], entityTag(bodyOf(buyer, currency()))),
        ...partnerAuthor(request, 'buyer', typeId('token', credentialId)),
      } as const;
      const outcome = await changeAccount(buyerKey, () => database.tx((tx) => patchAccount(tx, change, now)));
      if (!outcome.ok) {
        return outcome.code === 'precondition_failed'
          ? sendProblem(request, reply, { status: 412, code: outcome.code })
          : sendProblem(request, reply, { status: 422, code: outcome.code, errors: outcome.faults });
      }
      await applyNow(request, refresh);
      const body = bodyOf(outcome.value, currency());
      return reply.header('etag', entityTag(body)).header('content-type', JSON_TYPE).send(body);
    },
  );
}

/**
 * A tenth of the partner's rate and half of its burst, 1/s and 10 by default: each change stays in the history for ever and makes every
 * process reload the configuration.
 */
function changeRate({ perSecond, burst }: Rate): Rate {
  return { perSecond: perSecond / 10, burst: Math.ceil(burst / 2) };
}

/** Validates the body, including the DNS checks of its URLs. */
async function readPatch(
  request: FastifyRequest,
  buyerKey: string,
  { buyerOf, allowTargets }: AccountDependencies,
): Promise<PatchReading> {
  const { editableFields } = buyerOf(buyerKey);
  const { values, faults } = readAccountPatch(request.body as Members, editableFields, { allowTargets });
  return { values, faults: [...faults, ...(await checkPatchTargets(values, { allowTargets }))] };
}

/** The change is already stored. If this refresh fails, the process applies it within a second like the others. */
async function applyNow(request: FastifyRequest, refresh: () => Promise<unknown>): Promise<void> {
  try {
    await refresh();
  } catch (error) {
    request.log.warn(
      { err: error },
      'refreshing the configuration after an account change failed; it is retried within a second',
    );
  }
}

function bodyOf(buyer: Buyer, currency: string): string {
  return JSON.stringify(accountView(buyer, currency));
}
