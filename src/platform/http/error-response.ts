// Turns a thrown error into a problem response, and logs it when the service is at fault (contract 1.7).
import type { FastifyReply, FastifyRequest } from 'fastify';

import { isTransient } from '../database/sql-state.ts';
import { OutsideError } from '../outside-error.ts';
import { sendProblem } from './problem.ts';
import { type Refusal, RequestFault } from './request-fault.ts';

const UNAVAILABLE: Refusal = { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } };

/** The framework's own errors that can occur; its other 4xx are malformed requests. */
const FRAMEWORK: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: 'body_too_large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, code: 'unsupported_media_type' },
  FST_ERR_BAD_URL: { status: 404, code: 'not_found' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, code: 'not_found' },
  FST_ERR_NOT_FOUND: { status: 404, code: 'not_found' },
};

/** The rejection for an error, also for one after the response has begun. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RequestFault) return error.refusal;
  if (error instanceof OutsideError || isTransient(error)) return UNAVAILABLE;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && Object.hasOwn(FRAMEWORK, code)) return FRAMEWORK[code] as Refusal;
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return { status: 400, code: 'bad_request' };
  return { status: 500, code: 'internal_error' };
}

/** The error handler of every route. */
export function respondWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  const context = { method: request.method, route: request.routeOptions.url };
  if (refusal.status === 503) {
    // Every request meets the same outage, so one line per kind and interval is enough.
    request.server.logOutage(error, { requestId: request.id, ...context });
  } else if (refusal.status >= 500) {
    request.log.error({ err: error, ...context }, refusal.code);
  }
  // The framework closes the connection after a faulty body; this service reads it to its end, so the connection stays usable.
  if (!request.server.lifecycle.leaving) reply.removeHeader('connection');
  return sendProblem(request, reply, refusal);
}
