// Notices a proxy that TRUST_PROXY does not name: behind one, all callers seem to have its address, and limits and cookies are wrong.
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

import type { App } from './app.ts';

/** Where a proxy of one's own stands. A header from anywhere else is a caller's invention and says nothing. */
const NEAR: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const;

/** Calls `onFound` once, with the address of the first such peer. */
export function watchForProxies(app: App, onFound: (address: string) => void): void {
  let isFound = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isFound && request.raw.headers['x-forwarded-for'] !== undefined) {
      const peer = request.socket.remoteAddress;
      if (peer !== undefined && !isBelieved(request) && NEAR.has(kindOf(peer))) {
        isFound = true;
        onFound(peer);
      }
    }
    done();
  });
}

/** Whether nothing but this machine has to do with the request: no proxy has passed it on, or it says so and is believed. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const { headers } = request.raw;
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined);
  return kindOf(request.ip) === 'loopback' && (!isForwarded || isBelieved(request));
}

/** The chain of a trusted peer goes on with what its header says. */
function isBelieved(request: FastifyRequest): boolean {
  return (request.ips?.length ?? 1) > 1;
}

/** Also of an IPv4 address in the form of an IPv6 one. */
function kindOf(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).range() : 'unknown';
}
