// Entity tags: adds strong ones to responses, sends 304 when the client has the same bytes, and checks If-Match before a change
// (contract 1.4).
import { hash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** The request header, for the documentation of routes with `etag`. */
export const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: 'The `ETag` of your copy. The response is 304 while nothing has changed.' }),
  ),
});

/** An `onSend` hook for GET routes whose responses are not streams. */
export function etag(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  if (reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload)))
    return done(null, payload);
  const tag = entityTag(payload);
  reply.header('etag', tag);
  if (!matches(request.raw.headers['if-none-match'], tag)) return done(null, payload);
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return done(null, null);
}

/** `payload` is the whole body of a response. */
export function entityTag(payload: string | Buffer): string {
  return `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`;
}

/** If-Match compares strongly: a weak tag matches nothing. True without the header. */
export function meetsIfMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return true;
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim() === tag);
}

/** If-None-Match compares weakly: a leading `W/` is ignored. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
