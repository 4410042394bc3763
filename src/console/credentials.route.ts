// The console's credentials of a supplier or partner: list, issue and revoke keys or tokens, show and rotate the signing secret.
import { requestAuthor } from '../audit/request-author.ts';
import { type CredentialId, uuidOf } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import { readSupplier } from '../suppliers/read-suppliers.ts';
import type { CredentialKind, SecretOwner } from '../credentials/credential.ts';
import { IssuedCredentialSchema, NewCredentialBody } from '../credentials/issued-credential.schema.ts';
import { listCredentials } from '../credentials/find-credentials.ts';
import { respondIssued } from '../credentials/respond-issued.route.ts';
import { revokeCredential } from '../credentials/revoke-credential.ts';
import { rotateSigningSecret, showSigningSecret, signingSecretView } from '../credentials/signing-secrets.ts';
import { SigningSecretSchema } from '../credentials/signing-secret.schema.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import {
  CredentialParams,
  CredentialsSchema,
  OwnerParams,
  type RevokedCredential,
  RevokedCredentialSchema,
  type RotatedSecret,
  RotatedSecretSchema,
} from './credentials.schema.ts';

export type ConsoleCredentialsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** Called after a revocation: sessions opened with the credential end. */
  readonly onRevoked: () => void;
};

type OwnerQuery = { readonly path: string; readonly owner: SecretOwner['kind']; readonly kind: CredentialKind };
const OWNERS: readonly OwnerQuery[] = [
  { path: '/api/suppliers/:ownerKey', owner: 'supplier', kind: 'supplier_key' },
  { path: '/api/partners/:ownerKey', owner: 'buyer', kind: 'buyer_token' },
];
/** The newest; older ones beyond this number are revoked in practice. */
const SHOWN = 200;

export function registerConsoleCredentials(scope: App, dependencies: ConsoleCredentialsDependencies): void {
  for (const owner of OWNERS) {
    registerList(scope, owner, dependencies);
    registerIssue(scope, owner, dependencies);
    registerSecret(scope, owner, dependencies);
  }
  registerRevoke(scope, dependencies);
}

function registerList(scope: App, { path, kind }: OwnerQuery, { database }: ConsoleCredentialsDependencies): void {
  scope.get(
    `${path}/credentials`,
    {
      config: { permission: 'read' },
      schema: {
        params: OwnerParams,
        response: { 200: CredentialsSchema },
      },
    },
    async (request, reply) => {
      const { ownerKey } = request.params;
      const credentials = await listCredentials(database, { kinds: [kind], ownerKey, limit: SHOWN });
      return reply.send({
        data: credentials.map(({ createdAt, lastUsedAt, expiresAt, revokedAt, id, label, last4 }) => ({
          ...{ id, label, last4 },
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
          expiresAt: expiresAt?.toISOString() ?? null,
          revokedAt: revokedAt?.toISOString() ?? null,
        })),
      });
    },
  );
}

function registerIssue(
  scope: App,
  { path, owner, kind }: OwnerQuery,
  { database, clock }: ConsoleCredentialsDependencies,
): void {
  scope.post(
    `${path}/credentials`,
    {
      config: { permission: 'credentials' },
      schema: { params: OwnerParams, body: NewCredentialBody, response: { 201: IssuedCredentialSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const { ownerKey } = request.params;
      return respondIssued({
        ...{ database, request, reply, kind, ownerKey },
        now: clock.now(),
        input: () => request.body,
        author: requestAuthor(request),
        refuse: async (tx) =>
          (await ownerExists(owner, ownerKey, tx)) ? null : problemResponse(request, reply, NOT_FOUND),
      });
    },
  );
}

function registerRevoke(scope: App, { database, clock, onRevoked }: ConsoleCredentialsDependencies): void {
  scope.post(
    '/api/credentials/:credentialId/revoke',
    {
      config: { permission: 'credentials', emptyBody: true },
      schema: {
        params: CredentialParams,
        response: { 200: RevokedCredentialSchema },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      const { credentialId: id } = request.params;
      const found = parseCredentialId(id);
      const { actor, origin } = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const outcome = found === null ? null : await revokeCredential(tx, { ...found, actor, origin }, now);
          return outcome?.ok === true
            ? jsonResponse(200, { id, revokedAt: outcome.value.revokedAt.toISOString() } satisfies RevokedCredential)
            : problemResponse(request, reply, NOT_FOUND);
        },
        onCommitted: onRevoked,
      });
    },
  );
}

/** Null for other ids: operators' tokens are neither listed nor revoked here. */
function parseCredentialId(id: string): { kinds: readonly CredentialKind[]; credentialId: CredentialId } | null {
  const key = uuidOf('key', id);
  if (key !== null) return { kinds: ['supplier_key'], credentialId: key };
  const token = uuidOf('token', id);
  return token === null ? null : { kinds: ['buyer_token'], credentialId: token };
}

function registerSecret(scope: App, { path, owner }: OwnerQuery, dependencies: ConsoleCredentialsDependencies): void {
  const { database, clock } = dependencies;
  // POST although it changes nothing, so that no link, cache or browser history can show the secret. No idempotency: that would store the secret again.
  scope.post(
    `${path}/secret/show`,
    {
      config: { permission: 'credentials', emptyBody: true },
      schema: { params: OwnerParams, response: { 200: SigningSecretSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey: key } = request.params;
      const { actor, origin } = requestAuthor(request);
      const secrets = await database.tx(async (tx) =>
        (await ownerExists(owner, key, tx))
          ? showSigningSecret(tx, { owner: { kind: owner, key }, actor, origin, isOwn: false }, now)
          : null,
      );
      if (secrets === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.send(signingSecretView(secrets));
    },
  );
  scope.post(
    `${path}/secret/rotate`,
    {
      config: { permission: 'credentials', emptyBody: true },
      schema: { params: OwnerParams, response: { 200: RotatedSecretSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey: key } = request.params;
      const { actor, origin } = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          if (!(await ownerExists(owner, key, tx))) {
            return problemResponse(request, reply, NOT_FOUND);
          }
          const { previous } = await rotateSigningSecret(tx, { owner: { kind: owner, key }, actor, origin }, now);
          return jsonResponse(200, {
            previousValidUntil: previous?.validUntil.toISOString() ?? null,
          } satisfies RotatedSecret);
        },
      });
    },
  );
}

async function ownerExists(kind: SecretOwner['kind'], key: string, tx: Tx): Promise<boolean> {
  return (kind === 'supplier' ? await readSupplier(tx, key) : await readBuyer(tx, key)) !== null;
}
