// Parses a request's body: one JSON object in strict UTF-8 that later code can safely copy, merge and store (contract 1.6).
import { isUtf8 } from 'node:buffer';

import type { FastifyRequest } from 'fastify';

import { mayHoldInexactNumbers, withExactNumbers } from './exact-numbers.rules.ts';
import { RequestFault } from './request-fault.ts';

// Deeper bodies would overflow the stack of code that walks them; real ones have fewer than ten levels.
const DEEPEST = 64;

// One value per 32 bytes of the route's limit, 2,048 for the usual 64 KiB: a value costs more time than its bytes, and a lead has a few dozen.
const BYTES_PER_VALUE = 32;
/** Of a route with any limit: more would be parsed and checked for tens of milliseconds, in which nobody else is served. */
const VALUES_MAX = 50_000;
/** From here on values are counted before they are parsed. */
const SCANNED_BYTES = 128 * 1024;

type Done = (error: Error | null, body?: unknown) => void;

/** The parser of `application/json`: sets `request.rawBody` and passes the object on. */
export function parseJsonBody(request: FastifyRequest, bytes: Buffer, done: Done): void {
  if (bytes.length === 0 && request.routeOptions.config.emptyBody === true) return done(null, undefined);
  const faultOrText = decode(bytes);
  if (faultOrText instanceof RequestFault) return done(faultOrText);
  request.rawBody = faultOrText;
  const most = Math.min(VALUES_MAX, Math.floor(request.routeOptions.bodyLimit / BYTES_PER_VALUE));
  if (bytes.length > SCANNED_BYTES && hasMoreValues(bytes, most)) return done(invalidJson(tooManyValues(most)));
  const value = parse(faultOrText, most);
  if (value instanceof RequestFault) return done(value);
  return done(null, value);
}

function invalidJson(detail: string): RequestFault {
  return new RequestFault({ status: 400, code: 'invalid_json', detail });
}

function decode(bytes: Buffer): string | RequestFault {
  if (bytes.length === 0) return invalidJson('The body is empty.');
  // Checked first, because decoding would silently turn invalid bytes into U+FFFD.
  return isUtf8(bytes) ? bytes.toString('utf8') : invalidJson('The body is not valid UTF-8.');
}

function parse(text: string, mostValues: number): object | RequestFault {
  let value: unknown;
  try {
    // Rejects a byte order mark. Of a repeated member the last one counts.
    value = JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the body.
    if (error instanceof SyntaxError) return invalidJson('The body is not valid JSON.');
    throw error;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return invalidJson(`The body must be a JSON object, not ${kindOf(value)}.`);
  }
  const fault = findHarm(value, { depth: 1, counted: { values: 0, most: mostValues } });
  if (fault !== null) return invalidJson(fault);
  return mayHoldInexactNumbers(text) ? (withExactNumbers(text) as object) : value;
}

function tooManyValues(most: number): string {
  return `The body has more than ${most} values.`;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);

/** Whether a text, if it is JSON, has more values than that: a comma or an opening bracket stands before each but the first one. */
export function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  let values = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === COMMA || OPENING.has(byte)) {
      values += 1;
      if (values > most) return true;
    }
  }
  return false;
}

type Counted = { values: number; readonly most: number };

/** The reason why a parsed value is unsafe to use; null if it is safe. `counted` covers the whole body. */
function findHarm(
  value: object,
  { depth, counted }: { readonly depth: number; readonly counted: Counted },
): string | null {
  if (depth > DEEPEST) return `The body is nested more than ${DEEPEST} levels deep.`;
  const keys = Object.keys(value);
  counted.values += keys.length;
  if (counted.values > counted.most) return tooManyValues(counted.most);
  for (const key of keys) {
    const member = (value as Record<string, unknown>)[key];
    // An own member of this name is harmless until code assigns it to another object.
    if (key === '__proto__') return 'The body has a member named "__proto__".';
    if (typeof member === 'number') {
      if (!Number.isFinite(member)) return 'The body has a number that is too large.';
    } else if (member !== null && typeof member === 'object') {
      if (key === 'constructor' && Object.hasOwn(member, 'prototype')) {
        return 'The body has a member named "constructor.prototype".';
      }
      const fault = findHarm(member, { depth: depth + 1, counted });
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
