// Runs the work of a POST once per Idempotency-Key: the effects and the response kept for repetitions share one commit (contract 1.11).
import type { CredentialId } from '../../base/ids.ts';
import { strict as assert } from 'node:assert';
import { hash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { confirmStored } from '../database/confirm-stored.ts';
import type { Database, Tx } from '../database/database.ts';
import { readIdempotencyKey } from './idempotency-key.rules.ts';
import { findResponse, purgeResponses, deleteResponsesAbout, keepResponse, lockKey } from './idempotency.sql.ts';
import { PROBLEM_TYPE, problemBody, sendProblem } from './problem.ts';
import { type Refusal, RequestFault } from './request-fault.ts';
import { pathOf } from './request-path.ts';
import { principalOf } from './scope.ts';

/** A whole response as text, so that it can be kept and repeated byte for byte. */
export type HttpResponse = { readonly status: number; readonly contentType: string; readonly body: string };
export type IdempotentOutcome =
  | { readonly ok: true; readonly response: HttpResponse; readonly replayed: boolean }
  | { readonly ok: false; readonly refusal: Refusal };

export type IdempotentRun = {
  readonly database: Database;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly now: Date;
  /** Receives the request's key. Its response is kept if the status is 2xx, 404, 409 or 422; its effects are committed with any status. Throwing rolls back. */
  readonly work: (tx: Tx, key: string | null) => Promise<HttpResponse>;
  /** Rejects requests without a key, where a second click would post money twice. */
  readonly demandsKey?: boolean;
  /** Called and awaited after the effects of `work` are committed, before the response is sent. */
  readonly onCommitted?: () => void | Promise<void>;
};

const KEPT_MS = 24 * 3_600_000;
/** Longer than any work outside a transaction; an older mark was left by a process that died. */
const RUNNING_MS = 60_000;

/** Kept in place of a response while the work is outside a transaction. It is never sent. */
export const RUNNING: HttpResponse = { status: 102, contentType: '', body: '' };

/** @public */
export function jsonResponse(status: number, value: unknown): HttpResponse {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** A rejection as a response that `work` can return. */
export function problemResponse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): HttpResponse {
  return { status: refusal.status, contentType: PROBLEM_TYPE, body: problemBody(request, reply, refusal) };
}

/** Whether a kept response has to be looked up first; false for most requests, which can take a faster path. */
export function hasIdempotencyKey(request: FastifyRequest): boolean {
  return request.raw.headers['idempotency-key'] !== undefined;
}

/**
 * For POST routes with `attachValidation: true`: the 422 for a body that fails its schema is made here, so that it is kept like
 * other responses. Needs a route in a scope.
 * @public
 */
export async function runIdempotent(run: IdempotentRun): Promise<IdempotentOutcome> {
  const reading = hasIdempotencyKey(run.request) ? readIdempotencyKey(run.request.raw.rawHeaders) : 'absent';
  if (reading === 'invalid' || (reading === 'absent' && run.demandsKey === true)) {
    return { ok: false, refusal: { status: 400, code: 'idempotency_key_invalid' } };
  }
  const invalid = invalidResponse(run);
  if (reading === 'absent') {
    const response = invalid ?? (await run.database.tx((tx) => run.work(tx, null)));
    if (invalid === null) await run.onCommitted?.();
    return { ok: true, response, replayed: false };
  }
  const { credentialId } = principalOf(run.request);
  const running = `${credentialId} ${reading.key}`;
  if (inFlight.has(running)) return { ok: false, refusal: IN_PROGRESS };
  inFlight.add(running);
  try {
    const outcome = await run.database.tx((tx) => runOnce(tx, run, { credentialId, key: reading.key, invalid }));
    if (outcome.ok && !outcome.replayed && invalid === null) await run.onCommitted?.();
    return outcome;
  } finally {
    inFlight.delete(running);
  }
}

/** Runs the work and sends its response. */
export async function respondIdempotently(run: IdempotentRun): Promise<FastifyReply> {
  const outcome = await runIdempotent(run);
  return outcome.ok ? sendResponse(run.reply, outcome) : sendProblem(run.request, run.reply, outcome.refusal);
}

/** @public */
export function sendResponse(
  reply: FastifyReply,
  { response, replayed }: { response: HttpResponse; replayed: boolean },
): FastifyReply {
  if (replayed) reply.header('idempotent-replayed', 'true');
  reply.code(response.status).header('content-type', response.contentType);
  // Sent as bytes, because the framework would extend the content type of a string.
  return reply.send(Buffer.from(response.body));
}

/** Deletes the responses created until `olderThan`; returns the count. */
export async function purgeOldResponses(tx: Tx, olderThan: Date): Promise<number> {
  const [row] = await tx.query(purgeResponses, { olderThan });
  return row?.count ?? 0;
}

/** Deletes responses that contain one of these names, such as a delivery's id; a repetition is then a new request. */
export async function deleteResponsesThatName(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.query(deleteResponsesAbout, { names });
}

/** Keys that this process is working on: a repetition is rejected without taking a connection. Other processes use the lock. */
const inFlight = new Set<string>();
export const IN_PROGRESS: Refusal = { status: 409, code: 'idempotency_in_progress', headers: { 'retry-after': '1' } };

type Claim = { readonly credentialId: CredentialId; readonly key: string; readonly invalid: HttpResponse | null };

async function runOnce(tx: Tx, run: IdempotentRun, { credentialId, key, invalid }: Claim): Promise<IdempotentOutcome> {
  const { method, path, bodyHash } = fingerprint(run.request);
  const [lock] = await tx.query(lockKey, { lockNumber: lockNumber(credentialId, key) });
  if (lock?.locked !== true) return { ok: false, refusal: IN_PROGRESS };
  // A separate statement, because only one that starts under the lock sees what the last holder committed.
  const nowMs = run.now.getTime();
  const [kept] = await tx.query(findResponse, {
    credentialId,
    key,
    keptSince: new Date(nowMs - KEPT_MS),
    runningStatus: RUNNING.status,
    runningSince: new Date(nowMs - RUNNING_MS),
  });
  if (kept !== undefined) {
    await confirmStored(tx);
    return kept.method === method && kept.path === path && kept.bodyHash.equals(bodyHash)
      ? { ok: true, response: { status: kept.status, contentType: kept.contentType, body: kept.body }, replayed: true }
      : { ok: false, refusal: { status: 422, code: 'idempotency_key_reused' } };
  }
  const response = invalid ?? (await run.work(tx, key));
  await keepResponseOf(tx, run, response);
  return { ok: true, response, replayed: false };
}

/** Keeps the response under the request's key, in place of an earlier one. The request must have a valid key. */
export async function keepResponseOf(
  tx: Tx,
  { request, now }: Pick<IdempotentRun, 'request' | 'now'>,
  { status, contentType, body }: HttpResponse,
): Promise<void> {
  const reading = readIdempotencyKey(request.raw.rawHeaders);
  assert(typeof reading === 'object', 'there is no key to keep the response under');
  if (!isKept(status)) return;
  const { credentialId } = principalOf(request);
  const { method, path, bodyHash } = fingerprint(request);
  await tx.query(keepResponse, {
    credentialId,
    key: reading.key,
    method,
    path,
    bodyHash,
    status,
    contentType,
    body,
    now,
  });
}

function isKept(status: number): boolean {
  return (status >= 200 && status < 300) || [RUNNING.status, 404, 409, 422].includes(status);
}

/** The response to a request that failed its schema; null for a valid one. Rethrows errors of the server. */
function invalidResponse({ request, reply }: IdempotentRun): HttpResponse | null {
  const error = request.validationError;
  if (error === undefined || error === null) return null;
  if (!(error instanceof RequestFault)) throw error;
  return problemResponse(request, reply, error.refusal);
}

function fingerprint(request: FastifyRequest): { method: string; path: string; bodyHash: Buffer } {
  return {
    method: request.method,
    path: pathOf(request.raw.url),
    // The body was strict UTF-8 without a byte order mark, so its text has the same bytes.
    bodyHash: hash('sha256', request.rawBody, 'buffer'),
  };
}

function lockNumber(credentialId: string, key: string): bigint {
  return hash('sha256', `${credentialId} ${key}`, 'buffer').readBigInt64BE();
}
