// Reads a request's body: one JSON object in strict UTF-8 that later code can copy, merge and store without surprises (contract 1).
import { isUtf8 } from 'node:buffer';

import type { FastifyRequest } from 'fastify';

import { mayHoldInexactNumbers, withExactNumbers } from './exact-numbers.rules.ts';
import { RequestFault } from './request-fault.ts';

// Deeper bodies would overflow the stack of whatever walks them later; real ones stay below ten.
const DEEPEST = 64;

type Done = (error: Error | null, body?: unknown) => void;

/** The parser of `application/json`: sets `request.rawBody`, hands on the object. */
export function parseJsonBody(request: FastifyRequest, bytes: Buffer, done: Done): void {
  if (bytes.length === 0 && request.routeOptions.config.emptyBody === true) return done(null, undefined);
  const faultOrText = decode(bytes);
  if (faultOrText instanceof RequestFault) return done(faultOrText);
  request.rawBody = faultOrText;
  const value = parse(faultOrText);
  if (value instanceof RequestFault) return done(value);
  return done(null, value);
}

function invalidJson(detail: string): RequestFault {
  return new RequestFault({ status: 400, code: 'invalid_json', detail });
}

function decode(bytes: Buffer): string | RequestFault {
  if (bytes.length === 0) return invalidJson('The body is empty.');
  // Checked first, because decoding would turn faulty bytes into U+FFFD without a word.
  return isUtf8(bytes) ? bytes.toString('utf8') : invalidJson('The body is not valid UTF-8.');
}

function parse(text: string): object | RequestFault {
  let value: unknown;
  try {
    // Refuses a byte order mark by itself. Of a repeated member the last one counts.
    value = JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the body.
    if (error instanceof SyntaxError) return invalidJson('The body is not valid JSON.');
    throw error;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return invalidJson(`The body must be a JSON object, not ${kindOf(value)}.`);
  }
  const fault = harm(value, 1);
  if (fault !== null) return invalidJson(fault);
  return mayHoldInexactNumbers(text) ? (withExactNumbers(text) as object) : value;
}

/** What makes a parsed value unfit for use; null for nothing. */
function harm(value: object, depth: number): string | null {
  if (depth > DEEPEST) return `The body is nested more than ${DEEPEST} levels deep.`;
  for (const [key, member] of Object.entries(value) as Array<[string, unknown]>) {
    // An own member of this name is harmless until somebody assigns it to another object.
    if (key === '__proto__') return 'The body has a member named "__proto__".';
    if (typeof member === 'number') {
      if (!Number.isFinite(member)) return 'The body has a number that is too large.';
    } else if (member !== null && typeof member === 'object') {
      if (key === 'constructor' && Object.hasOwn(member, 'prototype')) {
        return 'The body has a member named "constructor.prototype".';
      }
      const fault = harm(member, depth + 1);
      if (fault !== null) return fault;
    }
  }
  return null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `a ${typeof value}`;
}
