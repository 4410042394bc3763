// GET /api/v1/buyer/webhook-secret, GET /api/v1/supplier/callback-secret and POST …/rotate: show and replace the caller's signing secret
// (contract 5.9).
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { AuditAuthor } from '../audit/audit-event.ts';
import { partnerAuthor } from '../audit/request-author.ts';
import { typeId } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import type { routeGuard } from '../platform/http/route-guard.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import type { ProblemCode } from '../platform/http/problem-catalogue.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { faultsOfEmptyBody } from '../platform/http/schema-faults.rules.ts';
import { principalOf } from '../platform/http/scope.ts';
import { rotateSigningSecret, showSigningSecret, signingSecretView } from './signing-secrets.ts';
import { SigningSecretSchema } from './signing-secret.schema.ts';

export type SigningSecretDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly kind: 'buyer' | 'supplier';
  /** Admits the owners who may read and replace their secret; by default all. */
  readonly onRequest?: ReturnType<typeof routeGuard>;
};

type Wording = {
  readonly path: string;
  readonly name: 'WebhookSecret' | 'CallbackSecret';
  readonly tag: 'Buyer' | 'Supplier';
  /** The kind of id of the credential that the request presents. */
  readonly idKind: 'token' | 'key';
  readonly codes: readonly ProblemCode[];
};

const WORDING: Readonly<Record<SigningSecretDependencies['kind'], Wording>> = {
  buyer: {
    path: '/api/v1/buyer/webhook-secret',
    name: 'WebhookSecret',
    tag: 'Buyer',
    idKind: 'token',
    codes: ['partner_suspended', 'setting_not_editable'],
  },
  supplier: {
    path: '/api/v1/supplier/callback-secret',
    name: 'CallbackSecret',
    tag: 'Supplier',
    idKind: 'key',
    codes: [],
  },
};

export function registerSigningSecret(scope: App, dependencies: SigningSecretDependencies): void {
  scope.addSchema(SigningSecretSchema);
  registerRead(scope, dependencies);
  registerRotation(scope, dependencies);
}

function registerRead(scope: App, { database, clock, kind, onRequest }: SigningSecretDependencies): void {
  const { path, name, tag, codes } = WORDING[kind];
  scope.get(
    path,
    {
      ...(onRequest === undefined ? {} : { onRequest }),
      schema: {
        operationId: `get${name}`,
        summary: 'Read your signing secret',
        description: 'The secret that signs messages to you. Each read is recorded in the audit log.',
        tags: [tag],
        response: { 200: Type.Ref('SigningSecret'), ...documentedProblems(...codes) },
      },
    },
    async (request, reply) => {
      const owner = { kind, key: principalOf(request).ownerKey };
      const view = { owner, ...authorOf(request, kind), isOwn: true };
      const secrets = await database.tx((tx) => showSigningSecret(tx, view, clock.now()));
      return reply.send(signingSecretView(secrets));
    },
  );
}

function registerRotation(scope: App, { database, clock, kind, onRequest }: SigningSecretDependencies): void {
  const { path, name, tag, codes } = WORDING[kind];
  scope.post(
    `${path}/rotate`,
    {
      ...(onRequest === undefined ? {} : { onRequest }),
      config: { emptyBody: true },
      schema: {
        operationId: `rotate${name}`,
        summary: 'Replace your signing secret',
        description:
          'Returns the new secret. For 24 hours messages carry two signatures, one by the new secret and one by the previous one. A second rotation within that time drops the oldest secret at once, so repeat this with the same `Idempotency-Key` only. Send no body, or an empty object.',
        tags: [tag],
        response: { 200: Type.Ref('SigningSecret'), ...documentedProblems(...codes, 'validation_failed') },
      },
    },
    (request, reply) => {
      const now = clock.now();
      const owner = { kind, key: principalOf(request).ownerKey };
      const errors = faultsOfEmptyBody(request.body);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          if (errors.length > 0)
            return problemResponse(request, reply, { status: 422, code: 'validation_failed', errors });
          const rotation = { owner, ...authorOf(request, kind) };
          return jsonResponse(200, signingSecretView(await rotateSigningSecret(tx, rotation, now)));
        },
      });
    },
  );
}

function authorOf(request: FastifyRequest, kind: SigningSecretDependencies['kind']): AuditAuthor {
  return partnerAuthor(request, kind, typeId(WORDING[kind].idKind, principalOf(request).credentialId));
}
