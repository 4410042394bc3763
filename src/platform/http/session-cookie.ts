// Reads, sets and clears the cookie with a session's secret (decision 022).
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The pages under each prefix have a cookie of their own. One browser may hold both. */
export type CookieArea = 'portal' | 'console';

const names: Readonly<Record<CookieArea, string>> = { portal: 'sid', console: 'console' };
// 32 bytes in base64url, as `newSessionSecret` makes them; a user's has a letter in front.
const SECRET = /^u?[\w-]{43}$/;

/** The cookie's value; null if it is missing, repeated or malformed. */
export function sessionCookie(request: FastifyRequest, area: CookieArea): string | null {
  const header = request.raw.headers.cookie;
  if (header === undefined) return null;
  const name = nameFor(request, area);
  // Two cookies of one name were set by an attacker who can set cookies for this host but not read them.
  if (header.split(';').filter((pair) => pair.split('=', 1)[0]?.trim() === name).length !== 1) return null;
  const value = request.server.parseCookie(header)[name];
  return value !== undefined && SECRET.test(value) ? value : null;
}

export function setSessionCookie(reply: FastifyReply, area: CookieArea, secret: string, expires: Date): void {
  write(reply, area, { value: secret, expires });
}

export function clearSessionCookie(reply: FastifyReply, area: CookieArea): void {
  write(reply, area, { value: '', expires: new Date(0) });
}

function write(reply: FastifyReply, area: CookieArea, { value, expires }: { value: string; expires: Date }): void {
  const { request } = reply;
  reply.setCookie(nameFor(request, area), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
    expires,
  });
}

/**
 * Over https the name has a prefix with which neither another host of the domain nor an attacker on the network can set it. Browsers
 * accept that prefix only with `Secure`, which plain http, as on this machine, does not allow; over https the bare name is never read.
 */
function nameFor(request: FastifyRequest, area: CookieArea): string {
  return request.protocol === 'https' ? `__Host-${names[area]}` : names[area];
}
