// The cookie that holds a session's secret: its name, its limits, and how it is read (decision 022).
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What the pages under each prefix are signed in with. One browser may hold both. */
export type CookieArea = 'portal' | 'console';

const names: Readonly<Record<CookieArea, string>> = { portal: 'sid', console: 'console' };
// 32 bytes in base64url, as `newSessionSecret` makes them.
const SECRET = /^[\w-]{43}$/;

/** A value of the right shape, once; null for anything else. */
export function sessionCookie(request: FastifyRequest, area: CookieArea): string | null {
  const header = request.raw.headers.cookie;
  if (header === undefined) return null;
  const name = nameFor(request, area);
  // Two of one name are not the browser's doing but somebody's who may set cookies for this host and not read them.
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
 * Over https the name has the prefix with which no other host of the domain, and nobody on the line, can set it. Browsers take that
 * prefix only with `Secure`, which over plain http, as on this machine, there is not; over https the bare name is never looked at.
 */
function nameFor(request: FastifyRequest, area: CookieArea): string {
  return request.protocol === 'https' ? `__Host-${names[area]}` : names[area];
}
