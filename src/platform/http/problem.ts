// Builds and sends error responses as RFC 9457 problem documents, with the members of contract 1.7.
import type { FastifyReply, FastifyRequest } from 'fastify';

import { problemCatalogue } from './problem-catalogue.ts';
import type { FieldFault, Refusal } from './request-fault.ts';
import { pathOf } from './request-path.ts';
import type { IncomingMessage } from 'node:http';

export const PROBLEM_TYPE = 'application/problem+json';

export type Problem = {
  /** A path of this server that explains the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  readonly errors?: readonly FieldFault[];
};

/** Adds members to the problem documents of one path. `elapsedMs` is 0 when the request was never read in full. */
export type ProblemExtras = (problem: Problem, elapsedMs: number) => Readonly<Record<string, unknown>>;

export function describeProblem(refusal: Refusal, requestId: string): Problem {
  const { title, meaning } = problemCatalogue[refusal.code];
  return {
    type: `/docs/errors/${refusal.code}`,
    title,
    status: refusal.status,
    detail: refusal.detail ?? meaning,
    code: refusal.code,
    requestId,
    ...(refusal.errors === undefined ? {} : { errors: refusal.errors }),
  };
}

/** The document's JSON text, for responses that are stored before they are sent. */
export function problemBody(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): string {
  const problem = describeProblem(refusal, request.id);
  const extras = request.server.problemExtras.get(pathOf(request.raw.url));
  return JSON.stringify(extras === undefined ? problem : { ...problem, ...extras(problem, reply.elapsedTime) });
}

/** Sends a problem document. The rest of the request's body is read and discarded. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const body = problemBody(request, reply, refusal);
  discardRest(request.raw);
  reply.code(refusal.status).header('content-type', PROBLEM_TYPE).header('cache-control', 'no-store');
  if (refusal.headers !== undefined) reply.headers(refusal.headers);
  // A text would get a charset parameter, which this media type does not have.
  return reply.send(Buffer.from(body));
}

// Closing at once would reset the connection before the client reads the response. A client that sends more than this is cut off.
const MOST_DISCARDED = 16 * 1024 * 1024;

/** Discards the rest of the body of a rejected request, so that the client can finish sending and read the response. */
function discardRest(raw: IncomingMessage): void {
  const { headers } = raw;
  if (raw.complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)) return;
  let discarded = 0;
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MOST_DISCARDED) raw.destroy();
  });
}
