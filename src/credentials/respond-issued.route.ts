// Issues a key or token for a request of the console or the portal, once for each idempotency key.
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AuditAuthor } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import { instantOf } from '../base/rfc3339.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import {
  type HttpResponse,
  jsonResponse,
  problemResponse,
  runIdempotent,
  sendResponse,
} from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { type CredentialKind, idKindOf } from './credential.ts';
import { issueCredential } from './issue-credential.ts';
import type { IssuedCredential, NewCredential } from './issued-credential.schema.ts';

export type IssueRequest = {
  readonly database: Database;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly kind: CredentialKind;
  readonly ownerKey: string;
  /** The body of the request, whose schema is checked within the idempotent run. */
  readonly input: () => NewCredential;
  readonly author: AuditAuthor;
  readonly now: Date;
  /** A problem that forbids it, read in the same transaction; null if there is none. */
  readonly refuse: (tx: Tx, expiresAt: Date | null) => Promise<HttpResponse | null>;
};

/** Always sends a response. Only the first one contains the secret: the response stored for repeated requests does not. */
export async function respondIssued({
  database,
  request,
  reply,
  kind,
  ownerKey,
  input,
  author,
  now,
  refuse,
}: IssueRequest): Promise<FastifyReply> {
  let issued: IssuedCredential | null = null;
  const outcome = await runIdempotent({
    ...{ database, request, reply, now },
    async work(tx) {
      const { label: text, expiresAt: until } = input();
      const expiresAt = typeof until === 'string' ? instantOf(until) : null;
      const refusal = await refuse(tx, expiresAt);
      if (refusal !== null) return refusal;
      if (expiresAt !== null && expiresAt <= now) {
        const errors = [{ field: 'expiresAt', code: 'out_of_range', message: 'must be in the future' }];
        return problemResponse(request, reply, { status: 422, code: 'validation_failed', errors });
      }
      const label = text?.trim() ?? '';
      const made = { kind, ownerKey, label: label === '' ? null : label, expiresAt, ...author };
      const { credentialId, secret } = await issueCredential(tx, made, now);
      const id = typeId(idKindOf(kind), credentialId);
      issued = { id, secret };
      return jsonResponse(201, { id, secret: null } satisfies IssuedCredential);
    },
  });
  if (!outcome.ok) return sendProblem(request, reply, outcome.refusal);
  return issued === null || outcome.replayed
    ? sendResponse(reply, outcome)
    : sendResponse(reply, { response: jsonResponse(201, issued), replayed: false });
}
