// Detects a proxy that TRUST_PROXY does not name: behind it all callers seem to have its address, and limits and cookies are wrong.
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

import type { App } from './app.ts';

/** Address ranges of the operator's own proxies. A header from any other address is a caller's invention. */
const NEAR: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const;

/** Calls `onFound` once, with the address of the first such peer. */
export function watchForProxies(app: App, onFound: (address: string) => void): void {
  let isFound = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isFound && request.raw.headers['x-forwarded-for'] !== undefined) {
      const peer = request.socket.remoteAddress;
      if (peer !== undefined && !isTrusted(request) && NEAR.has(kindOf(peer))) {
        isFound = true;
        onFound(peer);
      }
    }
    done();
  });
}

/** Whether the request comes from this machine: without a proxy, or through a trusted one that says so. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const { headers } = request.raw;
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined);
  return kindOf(request.ip) === 'loopback' && (!isForwarded || isTrusted(request));
}

/** For a trusted peer the framework adds the addresses of its header to the chain. */
function isTrusted(request: FastifyRequest): boolean {
  return (request.ips?.length ?? 1) > 1;
}

/** Treats an IPv4 address in IPv6 form as IPv4. */
function kindOf(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).range() : 'unknown';
}
