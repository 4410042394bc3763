// Chooses the id of a request: the client's own if it is harmless, else a new one (contract 1.4).
import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// Harmless in a header, a log line, a URL and a command line. A repeated header is joined by ", " and does not match.
const HARMLESS = /^[A-Za-z0-9._~:+/=-]{1,64}$/;
// The id is in every log line and error body, so it must not be a credential of this service, a phone number or an IP address.
const ECHOED = /lm[sbo]_|whsec_|^\+\d|^\d{1,3}(?:\.\d{1,3}){3}$|^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i;

export function requestIdOf(raw: Pick<IncomingMessage, 'headers'>): string {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && HARMLESS.test(given) && !ECHOED.test(given) ? given : randomUUIDv7();
}
