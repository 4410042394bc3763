// Entity tags for answers that clients poll or change: a strong one from the bytes, 304 where the client has them already, and whether a
// change still meets what its sender has seen (contract 1.4).
import { hash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** The request's header, for the documentation of a route that has `etag`. */
export const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: 'The `ETag` of what you have; the answer is 304 while that is still so.' }),
  ),
});

/** An `onSend` hook of a GET route whose answers are not streams. */
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

/** Of a whole answer's body. */
export function entityTag(payload: string | Buffer): string {
  return `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`;
}

/** If-Match compares strongly: a weak tag matches nothing. True without the header. */
export function meetsIfMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return true;
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim() === tag);
}

/** If-None-Match compares weakly: `W/` in front makes no difference. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
