// Reads the search text of a page from a request header, because it is often a person's name, address or number and proxies log URLs.
// Percent-encoded, because headers are ASCII.
import type { FastifyRequest } from 'fastify';

import { isStorable } from '../../base/text.ts';
import { RequestFault } from './request-fault.ts';

const SEARCH_HEADER = 'x-search';

/** Null without a search. `lengthMax` is in code points. */
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
