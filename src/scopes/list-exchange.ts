// What the routes of lists have in common: the list of the path, found for its owner, once per Idempotency-Key, and errors (contract 15.1).
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';

import type { AuditAuthor } from '../audit/audit-event.ts';
import { uuidOf } from '../base/ids.ts';
import type { List } from '../lists/list.ts';
import { type ListOwner, readList } from '../lists/read-lists.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { type HttpResponse, problemResponse, respondIdempotently } from '../platform/http/idempotency.ts';
import { NOT_FOUND, type Refusal } from '../platform/http/request-fault.ts';
import type { ListParts } from './list-parts.ts';

export type ListRoutes = {
  readonly path: string;
  readonly database: Database;
  /** For lists. */
  readonly reads: Database;
  readonly clock: Clock;
  /** Whose lists the caller sees and changes. */
  readonly ownerOf: (request: FastifyRequest) => ListOwner;
  readonly authorOf: (request: FastifyRequest) => AuditAuthor;
  /** Shared by all routes that load lists. */
  readonly parts: ListParts;
  /** What the console's routes ask for; the portal has no permissions. */
  readonly configs?: {
    readonly read: FastifyContextConfig;
    readonly change: FastifyContextConfig;
    readonly check: FastifyContextConfig;
  };
};

/** Errors that a response names. */
export const ERRORS_SHOWN = 20;
export const NO_CONFIGS = { read: {}, change: {}, check: {} };

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** Once per Idempotency-Key. A list that does not exist or has another owner is not found. */
export function onList(
  { database, clock, ownerOf }: ListRoutes,
  { request, reply }: Exchange,
  work: (tx: Tx, list: List) => Promise<HttpResponse>,
): Promise<FastifyReply> {
  const { listId } = request.params as { readonly listId: string };
  return respondIdempotently({
    ...{ database, request, reply, now: clock.now() },
    async work(tx) {
      const list = await findList(tx, listId, ownerOf(request));
      return list === null ? problemResponse(request, reply, NOT_FOUND) : work(tx, list);
    },
  });
}

export async function findList(tx: Tx, id: string, owner: ListOwner): Promise<List | null> {
  const listId = uuidOf('list', id);
  return listId === null ? null : readList(tx, listId, owner);
}

/** A member that names what does not exist or does not fit. */
export function notAllowed(field: string, message: string): Refusal {
  return { status: 422, code: 'validation_failed', errors: [{ field, code: 'not_allowed_value', message }] };
}

export function malformed(field: string, message: string): Refusal {
  return { status: 422, code: 'validation_failed', errors: [malformedError(field, message)] };
}

export function malformedError(field: string, message: string) {
  return { field, code: 'invalid_format', message };
}
