// Entity tags for answers that clients poll: a strong one from the bytes, and 304 where the client has them already (contract 1).
import { hash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

/** An `onSend` hook of a GET route whose answers are not streams. */
export function etag(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  if (reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload)))
    return done(null, payload);
  const tag = `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`;
  reply.header('etag', tag);
  if (!matches(request.raw.headers['if-none-match'], tag)) return done(null, payload);
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return done(null, null);
}

/** If-None-Match compares weakly: `W/` in front makes no difference. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
