// Finds the address at which people open the service, for links in emails and for sign-in: never from a name that a request makes up.
import { strict as assert } from 'node:assert';
import { isIP } from 'node:net';

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

import { sendProblem } from './problem.ts';

/** A whole Host header, so that nothing else can follow the name, such as a user name that would make it another host. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** The public address of the settings; on this machine the one that the browser has open; otherwise null. */
export function ownAddress(publicUrl: string | null, request: FastifyRequest): string | null {
  if (publicUrl !== null) return publicUrl;
  return THIS_MACHINE.test(request.host) ? `${request.protocol}://${request.host}` : null;
}

/** For a route's `preHandler`: mails no link whose beginning the sender's request could have chosen. */
export function demandOwnAddress(publicUrl: () => string | null) {
  return function ownAddressHook(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    if (ownAddress(publicUrl(), request) !== null) done();
    else sendProblem(request, reply, { status: 409, code: 'email_links_unavailable' });
  };
}

/** In routes with that hook. */
export function addressOf(request: FastifyRequest, publicUrl: string | null): string {
  const address = ownAddress(publicUrl, request);
  assert(address !== null, 'the route does not demand the address of the service');
  return address;
}

export type OwnHosts = {
  readonly publicUrl: string | null;
  /** Further names, in lower case and without ports. */
  readonly names: readonly string[];
};

/**
 * Whether pages may be used under a Host. A page of another site can have its own name lead here, and would then be of the same origin, so only
 * known names are taken, and addresses, which are nobody's name. Before any name is known all are taken.
 */
export function isOwnHost(host: string, { publicUrl, names }: OwnHosts): boolean {
  if (publicUrl === null && names.length === 0) return true;
  if (THIS_MACHINE.test(host)) return true;
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  return names.includes(name) || (publicUrl !== null && URL.parse(publicUrl)?.hostname === name);
}
