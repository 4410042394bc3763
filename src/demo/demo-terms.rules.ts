// Where the demo may be: on the embedded database of a service that only this machine reaches, unless DEMO says otherwise (decision 035).
import ipaddr from 'ipaddr.js';

import type { Config } from '../platform/config.ts';

/** Why this process neither loads a demo nor lets one work that the data have, as a clause; null where it may. */
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

/** Of names only `localhost` is known to be this machine. */
function isLoopback(host: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(host) && !ipaddr.IPv6.isValid(host))
    return host.toLowerCase() === 'localhost';
  return ipaddr.process(host).range() === 'loopback';
}
