// What a page searches for, which is often a person's name, address or number: in a header of the request instead of its address, because
// proxies log addresses. Percent-encoded, since headers are ASCII.
import type { FastifyRequest } from 'fastify';

import { isStorable } from '../../base/storable-text.ts';
import { RequestFault } from './request-fault.ts';

const SEARCH_HEADER = 'x-search';

/** Null where nothing is searched for. `lengthMax` in code points. */
export function searchTextOf(request: FastifyRequest, lengthMax: number): string | null {
  const header = request.headers[SEARCH_HEADER];
  if (header === undefined) return null;
  const text = decoded(String(header));
  if (text === null || !isStorable(text)) throw fault('invalid_format', 'must be percent-encoded text without NUL');
  const { length } = [...text];
  if (length === 0 || length > lengthMax) throw fault('out_of_range', `must have 1 to ${lengthMax} characters`);
  return text;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function fault(code: string, message: string): RequestFault {
  const errors = [{ field: SEARCH_HEADER, code, message }];
  return new RequestFault({ status: 400, code: 'invalid_query', errors });
}
