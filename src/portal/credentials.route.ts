// The portal's list of a partner's tokens or a supplier's keys with their last use; issuing and revoking one (decisions 022 and 081).
import { Type } from 'typebox';
import { partnerAuthor } from '../audit/request-author.ts';
import { uuidOf, typeId } from '../base/ids.ts';
import { refuse } from '../base/outcome.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { lockCount } from '../platform/database/lock-count.ts';
import type { App } from '../platform/http/app.ts';
import { problemResponse } from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import { type Credential, type CredentialKind, idKindOf } from '../credentials/credential.ts';
import { listCredentials } from '../credentials/find-credentials.ts';
import { IssuedCredentialSchema, NewCredentialBody } from '../credentials/issued-credential.schema.ts';
import { respondIssued } from '../credentials/respond-issued.route.ts';
import { revokeCredential } from '../credentials/revoke-credential.ts';
import { CredentialsSchema, RevokedSchema } from './credentials.schema.ts';

export type PortalCredentialsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly kind: 'buyer_token' | 'supplier_key';
  /** Called after a revocation: sessions opened with the credential end. */
  readonly onRevoked: () => void;
};

const PATHS = { buyer_token: '/api/buyer/tokens', supplier_key: '/api/supplier/keys' } as const satisfies Partial<
  Record<CredentialKind, string>
>;
/** The newest; older ones beyond this number are revoked in practice. */
const SHOWN = 200;
/** More are an error of a program that issues one for each run. */
const ACTIVE_MAX = 50;

export function registerPortalCredentials(scope: App, dependencies: PortalCredentialsDependencies): void {
  const { database, clock, kind, onRevoked } = dependencies;
  const path = PATHS[kind];
  scope.get(path, { schema: { response: { 200: CredentialsSchema } } }, async (request, reply) => {
    const { ownerKey, credentialId } = principalOf(request);
    const own = typeId(idKindOf(kind), credentialId);
    // A single statement needs no explicit transaction.
    const credentials = await listCredentials(database, { kinds: [kind], ownerKey, limit: SHOWN });
    return reply.send({
      data: credentials.map(({ id, label, last4, createdAt, lastUsedAt, expiresAt, revokedAt }) => ({
        ...{ id, label, last4 },
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
        expiresAt: expiresAt?.toISOString() ?? null,
        revokedAt: revokedAt?.toISOString() ?? null,
        isThisSession: id === own,
      })),
    });
  });

  scope.post(
    path,
    {
      schema: { body: NewCredentialBody, response: { 201: IssuedCredentialSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const { ownerKey, credentialId } = principalOf(request);
      const now = clock.now();
      return respondIssued({
        ...{ database, request, reply, kind, ownerKey, now },
        input: () => request.body,
        author: partnerAuthor(request, kind === 'buyer_token' ? 'buyer' : 'supplier'),
        async refuse(tx, expiresAt) {
          await lockCount(tx, `credentials of ${kind} ${ownerKey}`);
          // All of them: the one that opened the session may be older than those that are shown.
          const all = await listCredentials(tx, { kinds: [kind], ownerKey });
          const own = all.find(({ id }) => id === typeId(idKindOf(kind), credentialId))?.expiresAt ?? null;
          const errors = issueErrors(all, { own, label: request.body.label, expiresAt, now });
          const refusal = { status: 422, code: 'validation_failed', errors } as const;
          return errors.length === 0 ? null : problemResponse(request, reply, refusal);
        },
      });
    },
  );

  scope.delete(
    `${path}/:id`,
    { schema: { params: Type.Object({ id: Type.String() }), response: { 200: RevokedSchema } } },
    async (request, reply) => {
      const principal = principalOf(request);
      const { ownerKey } = principal;
      const credentialId = uuidOf(idKindOf(kind), request.params.id);
      const author = partnerAuthor(request, kind === 'buyer_token' ? 'buyer' : 'supplier');
      const outcome =
        credentialId === null
          ? refuse('credential_not_found')
          : await database.tx((tx) =>
              revokeCredential(tx, { kinds: [kind], credentialId, ownerKey, ...author }, clock.now()),
            );
      if (!outcome.ok) return sendProblem(request, reply, { status: 404, code: 'not_found' });
      onRevoked();
      return reply.send({
        id: request.params.id,
        revokedAt: outcome.value.revokedAt.toISOString(),
        endsThisSession: credentialId === principal.credentialId,
      });
    },
  );
}

type Asked = {
  /** Until when the credential that opened the session is valid; null for ever, and for users. */
  readonly own: Date | null;
  readonly label: string | null | undefined;
  readonly expiresAt: Date | null;
  readonly now: Date;
};

/** A credential that expires must not be able to live on in one of its own making. */
function issueErrors(all: readonly Credential[], { own, label, expiresAt, now }: Asked) {
  const active = all.filter(
    ({ revokedAt, expiresAt: until }) => revokedAt === null && (until === null || until > now),
  ).length;
  return [
    ...((label ?? '').trim() === ''
      ? [{ field: 'label', code: 'required', message: 'is missing: name the program that uses it' }]
      : []),
    ...(active >= ACTIVE_MAX
      ? [{ field: 'label', code: 'out_of_range', message: `${ACTIVE_MAX} are active already: revoke one first` }]
      : []),
    ...(own !== null && (expiresAt === null || expiresAt > own)
      ? [
          {
            field: 'expiresAt',
            code: 'out_of_range',
            message: `must not be later than ${own.toISOString()}, when the one that you signed in with expires`,
          },
        ]
      : []),
  ];
}
