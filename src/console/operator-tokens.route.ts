// Lists, issues and revokes operators' tokens for the HTTP API, at the console and in that API itself (contract 10.1).
import { requestAuthor } from '../audit/request-author.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import { instantOf } from '../base/rfc3339.ts';
import { listCredentials } from '../credentials/find-credentials.ts';
import { issueCredential } from '../credentials/issue-credential.ts';
import { coversScopes, readScopes } from '../credentials/operator-scopes.rules.ts';
import { revokeCredential } from '../credentials/revoke-credential.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import {
  jsonResponse,
  problemResponse,
  respondIdempotently,
  runIdempotent,
  sendResponse,
} from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND, type Refusal } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import {
  type IssuedOperatorToken,
  IssuedOperatorTokenSchema,
  NewOperatorTokenBody,
  OperatorTokenParams,
  OperatorTokensSchema,
  RevokedOperatorTokenSchema,
} from './operator-tokens.schema.ts';

export type OperatorTokensDependencies = { readonly database: Database; readonly clock: Clock };

const KINDS = ['operator_token'] as const;
/** The newest; older ones beyond this number are revoked in practice. */
const SHOWN = 200;

export function registerOperatorTokens(scope: App, dependencies: OperatorTokensDependencies): void {
  registerList(scope, dependencies);
  registerIssue(scope, dependencies);
  registerRevoke(scope, dependencies);
}

function registerList(scope: App, { database }: OperatorTokensDependencies): void {
  scope.get(
    '/api/operator-tokens',
    { config: { permission: 'credentials' }, schema: { response: { 200: OperatorTokensSchema } } },
    async (_request, reply) => {
      const tokens = await listCredentials(database, { kinds: KINDS, ownerKey: null, limit: SHOWN });
      return reply.send({
        data: tokens.map(({ id, owner, scopes = [], label, last4, ...times }) => ({
          ...{ tokenId: id, name: owner, scopes, label, last4 },
          createdAt: times.createdAt.toISOString(),
          lastUsedAt: times.lastUsedAt?.toISOString() ?? null,
          expiresAt: times.expiresAt?.toISOString() ?? null,
          revokedAt: times.revokedAt?.toISOString() ?? null,
        })),
      });
    },
  );
}

const refused = (field: string, code: string, message: string): Refusal => {
  return { status: 422, code: 'validation_failed', errors: [{ field, code, message }] };
};

/** Only the first response contains the secret: the response stored for repeated requests does not. */
function registerIssue(scope: App, { database, clock }: OperatorTokensDependencies): void {
  scope.post(
    '/api/operator-tokens',
    {
      config: { permission: 'credentials' },
      attachValidation: true,
      schema: { body: NewOperatorTokenBody, response: { 201: IssuedOperatorTokenSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const author = requestAuthor(request);
      const { permissions = [] } = principalOf(request);
      let issued: IssuedOperatorToken | null = null;
      const outcome = await runIdempotent({
        ...{ database, request, reply, now },
        async work(tx) {
          const { name, label, expiresAt: wanted, ...input } = request.body;
          const scopes = readScopes(input.scopes) ?? [];
          const expiresAt = typeof wanted === 'string' ? instantOf(wanted) : null;
          const refuse = (refusal: Refusal) => problemResponse(request, reply, refusal);
          if (!coversScopes(permissions, scopes))
            return refuse(refused('scopes', 'not_allowed', 'may hold only scopes that you have yourself'));
          if (expiresAt !== null && expiresAt <= now)
            return refuse(refused('expiresAt', 'out_of_range', 'must be in the future'));
          const shown = label?.trim() ?? '';
          const made = { kind: 'operator_token', ownerKey: name, label: shown === '' ? null : shown } as const;
          const token = await issueCredential(tx, { ...made, scopes, expiresAt, ...author }, now);
          issued = { tokenId: typeId('token', token.credentialId), secret: token.secret };
          return jsonResponse(201, { ...issued, secret: null } satisfies IssuedOperatorToken);
        },
      });
      if (!outcome.ok) return sendProblem(request, reply, outcome.refusal);
      return issued === null || outcome.replayed
        ? sendResponse(reply, outcome)
        : sendResponse(reply, { response: jsonResponse(201, issued), replayed: false });
    },
  );
}

function registerRevoke(scope: App, { database, clock }: OperatorTokensDependencies): void {
  scope.post(
    '/api/operator-tokens/:tokenId/revoke',
    {
      config: { permission: 'credentials', emptyBody: true },
      attachValidation: true,
      schema: { params: OperatorTokenParams, response: { 200: RevokedOperatorTokenSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { tokenId } = request.params;
      const credentialId = uuidOf('token', tokenId);
      const author = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const outcome =
            credentialId === null ? null : await revokeCredential(tx, { kinds: KINDS, credentialId, ...author }, now);
          return outcome?.ok === true
            ? jsonResponse(200, { tokenId, revokedAt: outcome.value.revokedAt.toISOString() })
            : problemResponse(request, reply, NOT_FOUND);
        },
      });
    },
  );
}
