// Rejects a body by its headers before reading it: 413 if too large, 415 if not plain JSON, 400 if empty (contract 1.8).
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

import { sendProblem } from './problem.ts';
import type { Refusal } from './request-fault.ts';

// `utf8` is not a registered name, but many clients send it.
const PLAIN_JSON = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")[ \t]*)?)?$/i;

export type BodyLimits = {
  readonly bytes: number;
  readonly emptyAllowed: boolean;
  /** For the route of the marketplace file, whose bodies are YAML or JSON. */
  readonly yamlAllowed: boolean;
  /** For files: bodies are bytes and never JSON. */
  readonly isBinary: boolean;
};

const PLAIN_YAML = /^application\/yaml[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")[ \t]*)?)?$/i;

const EMPTY: Refusal = { status: 400, code: 'bad_request', detail: 'The body is empty.' };

function isBytes(type: string | undefined): boolean {
  return type?.toLowerCase() === 'application/octet-stream';
}

/** A hook for routes that read a body; must run after authentication. */
export function admitBody({ bytes, emptyAllowed, yamlAllowed, isBinary }: BodyLimits) {
  /** The type that a route takes besides JSON passes as JSON; on a route for bytes, JSON does not. */
  const typeToCheck = (type: string | undefined): string | undefined => {
    if (isBinary) return isBytes(type) ? 'application/json' : undefined;
    return yamlAllowed && PLAIN_YAML.test(type ?? '') ? 'application/json' : type;
  };
  return function bodyAdmission(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const { headers } = request.raw;
    const length = headers['content-length'];
    const transfer = headers['transfer-encoding'];
    let refusal: Refusal | null = null;
    if (length !== undefined && Number(length) > bytes) {
      refusal = { status: 413, code: 'body_too_large' };
    } else if (length === '0' || (length === undefined && transfer === undefined)) {
      refusal =
        isBinary && isBytes(headers['content-type']) ? EMPTY : ofEmptyBody(headers['content-type'], emptyAllowed);
    } else if (!isPlain(typeToCheck(headers['content-type']), headers['content-encoding'], transfer)) {
      refusal = { status: 415, code: 'unsupported_media_type', headers: { 'accept-encoding': 'identity' } };
    }
    if (refusal !== null) {
      sendProblem(request, reply, refusal);
      return;
    }
    // Asks for the body only now; the server leaves the response to Expect to this hook.
    if (headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    done();
  };
}

function isPlain(type: string | undefined, encoding: string | undefined, transfer: string | undefined): boolean {
  if (type !== 'application/json' && (type === undefined || !PLAIN_JSON.test(type))) return false;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false;
  return transfer === undefined || transfer.toLowerCase() === 'chunked';
}

function ofEmptyBody(type: string | undefined, allowed: boolean): Refusal | null {
  if (type !== undefined && !PLAIN_JSON.test(type)) return { status: 415, code: 'unsupported_media_type' };
  return allowed ? null : { status: 400, code: 'invalid_json', detail: 'The body is empty.' };
}
