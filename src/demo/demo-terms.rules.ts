// Decides whether a demo is allowed: on the embedded database and on loopback, unless DEMO says otherwise (decision 035).
import ipaddr from 'ipaddr.js';

import type { Config } from '../platform/config.ts';

/** The reason, as a clause, why this process neither loads nor runs a demo; null if it may. */
export function demoObstacle({
  demo,
  databaseUrl,
  host,
}: Pick<Config, 'demo' | 'databaseUrl' | 'host'>): string | null {
  if (demo === 'on') return null;
  if (demo === 'off') return 'DEMO is off';
  if (databaseUrl !== null) return 'DATABASE_URL names an external database';
  return isLoopback(host) ? null : `the service listens on ${host}, which is not loopback`;
}

/** Among names, only `localhost` counts as loopback. */
function isLoopback(host: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(host) && !ipaddr.IPv6.isValid(host))
    return host.toLowerCase() === 'localhost';
  return ipaddr.process(host).range() === 'loopback';
}
