// Error answers as RFC 9457 problem documents, with the members of contract 1.7.
import type { FastifyReply, FastifyRequest } from 'fastify';

import { discardRest } from './discard-rest.ts';
import { problemCatalogue } from './problem-catalogue.ts';
import type { FieldFault, Refusal } from './request-fault.ts';
import { pathOf } from './request-path.ts';

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

/** Further members for the problem documents of one path. `elapsedMs` is 0 where the request was never read in full. */
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

/** The document's JSON text, for answers that are stored before they are sent. */
export function problemBody(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): string {
  const problem = describeProblem(refusal, request.id);
  const extras = request.server.problemExtras.get(pathOf(request.raw.url));
  return JSON.stringify(extras === undefined ? problem : { ...problem, ...extras(problem, reply.elapsedTime) });
}

/** Answers with a problem document. What may still come of the request's body is read and thrown away. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const body = problemBody(request, reply, refusal);
  discardRest(request.raw);
  reply.code(refusal.status).header('content-type', PROBLEM_TYPE).header('cache-control', 'no-store');
  if (refusal.headers !== undefined) reply.headers(refusal.headers);
  // A text would get a charset parameter, which this media type does not have.
  return reply.send(Buffer.from(body));
}
