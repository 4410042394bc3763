// Reads a request's body: one JSON object in strict UTF-8 that later code can copy, merge and store without surprises (contract 1.6).
import { isUtf8 } from 'node:buffer';

import type { FastifyRequest } from 'fastify';

import { mayHoldInexactNumbers, withExactNumbers } from './exact-numbers.rules.ts';
import { RequestFault } from './request-fault.ts';

// Deeper bodies would overflow the stack of whatever walks them later; real ones stay below ten.
const DEEPEST = 64;

// One value for each 32 bytes that the route takes, 2,048 of the usual 64 KiB: each costs more time than the bytes that it is written in, and
// a lead has some dozens.
const BYTES_PER_VALUE = 32;

type Done = (error: Error | null, body?: unknown) => void;

/** The parser of `application/json`: sets `request.rawBody`, hands on the object. */
export function parseJsonBody(request: FastifyRequest, bytes: Buffer, done: Done): void {
  if (bytes.length === 0 && request.routeOptions.config.emptyBody === true) return done(null, undefined);
  const faultOrText = decode(bytes);
  if (faultOrText instanceof RequestFault) return done(faultOrText);
  request.rawBody = faultOrText;
  const value = parse(faultOrText, Math.floor(request.routeOptions.bodyLimit / BYTES_PER_VALUE));
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

function parse(text: string, mostValues: number): object | RequestFault {
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
  const fault = harm(value, { depth: 1, counted: { values: 0, most: mostValues } });
  if (fault !== null) return invalidJson(fault);
  return mayHoldInexactNumbers(text) ? (withExactNumbers(text) as object) : value;
}

type Counted = { values: number; readonly most: number };

/** What makes a parsed value unfit for use; null for nothing. `counted` is of the whole body. */
function harm(value: object, { depth, counted }: { readonly depth: number; readonly counted: Counted }): string | null {
  if (depth > DEEPEST) return `The body is nested more than ${DEEPEST} levels deep.`;
  const keys = Object.keys(value);
  counted.values += keys.length;
  if (counted.values > counted.most) return `The body has more than ${counted.most} values.`;
  for (const key of keys) {
    const member = (value as Record<string, unknown>)[key];
    // An own member of this name is harmless until somebody assigns it to another object.
    if (key === '__proto__') return 'The body has a member named "__proto__".';
    if (typeof member === 'number') {
      if (!Number.isFinite(member)) return 'The body has a number that is too large.';
    } else if (member !== null && typeof member === 'object') {
      if (key === 'constructor' && Object.hasOwn(member, 'prototype')) {
        return 'The body has a member named "constructor.prototype".';
      }
      const fault = harm(member, { depth: depth + 1, counted });
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
