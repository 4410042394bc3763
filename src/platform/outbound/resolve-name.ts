// Resolves a host name to all its addresses, within a time limit.
import { lookup } from 'node:dns/promises';

/** A host name → all its addresses, IPv4 and IPv6, in the resolver's order; rejects when the name does not resolve. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export type Resolution =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly timedOut: boolean; readonly cause: unknown };

/** Uses the system's resolver, hosts file included, like other programs on the machine; its addresses are checked as any others. */
export async function lookupAll(hostname: string): Promise<readonly string[]> {
  const addresses = await lookup(hostname, { all: true, order: 'verbatim' });
  return addresses.map(({ address }) => address);
}

/**
 * Lets concurrent calls for one name share a lookup. The system's resolver blocks one of very few threads per lookup and cannot be
 * interrupted: otherwise one name with a dead server would take them all.
 */
export function shareLookups(resolve: Resolve): Resolve {
  const lookups = new Map<string, Promise<readonly string[]>>();
  return (hostname) => {
    const running = lookups.get(hostname);
    if (running !== undefined) return running;
    const started = resolve(hostname).finally(() => lookups.delete(hostname));
    lookups.set(hostname, started);
    return started;
  };
}

/** Never rejects: an error, an empty result and a late one all mean "does not resolve". */
export async function resolveWithin(resolve: Resolve, hostname: string, timeoutMs: number): Promise<Resolution> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Resolution>((settle) => {
    timer = setTimeout(() => settle({ ok: false, timedOut: true, cause: null }), timeoutMs);
  });
  const resolution = resolve(hostname).then(
    (addresses): Resolution =>
      addresses.length > 0 ? { ok: true, addresses } : { ok: false, timedOut: false, cause: null },
    (cause: unknown): Resolution => ({ ok: false, timedOut: false, cause }),
  );
  try {
    return await Promise.race([resolution, late]);
  } finally {
    clearTimeout(timer);
  }
}
