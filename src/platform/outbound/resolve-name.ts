// Asks DNS for every address of a name, within a time limit.
import { lookup } from 'node:dns/promises';

/** A host name → all its addresses, IPv4 and IPv6, in the resolver's own order; rejects when the name does not resolve. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export type Resolution =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly timedOut: boolean; readonly cause: unknown };

/** Asks the system's resolver, as other programs on the machine do, hosts file included: what it says is checked like any answer. */
export async function lookupAll(hostname: string): Promise<readonly string[]> {
  const responses = await lookup(hostname, { all: true, order: 'verbatim' });
  return responses.map((response) => response.address);
}

/**
 * Lets calls for a name that is being asked for already share the answer. The system's resolver blocks one of very few threads per
 * question and cannot be interrupted: without this, one name with a dead server takes them all.
 */
export function shareLookups(resolve: Resolve): Resolve {
  const asked = new Map<string, Promise<readonly string[]>>();
  return (hostname) => {
    const running = asked.get(hostname);
    if (running !== undefined) return running;
    const response = resolve(hostname).finally(() => asked.delete(hostname));
    asked.set(hostname, response);
    return response;
  };
}

/** Never rejects: no answer, an empty one and a late one are all "does not resolve". */
export async function resolveWithin(resolve: Resolve, hostname: string, timeoutMs: number): Promise<Resolution> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Resolution>((settle) => {
    timer = setTimeout(() => settle({ ok: false, timedOut: true, cause: null }), timeoutMs);
  });
  const response = resolve(hostname).then(
    (addresses): Resolution =>
      addresses.length > 0 ? { ok: true, addresses } : { ok: false, timedOut: false, cause: null },
    (cause: unknown): Resolution => ({ ok: false, timedOut: false, cause }),
  );
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
  }
}
