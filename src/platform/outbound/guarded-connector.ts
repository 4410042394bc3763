// Opens the sockets of the guarded client: resolves the name, checks every address and connects only to a checked one (contract 5.7).
import { isIP, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { dialAddress, DialError, type Dial } from './dial.ts';
import { resolveWithin, type Resolve } from './resolve-name.ts';
import { bareHost, isPublicAddress, isSameAddress, NOT_PUBLIC } from './target.rules.ts';

export type ConnectorOptions = {
  readonly resolve: Resolve;
  /** True for the operator's exempt origins only, which may have any address. */
  readonly exempt: boolean;
  /** DNS lookup, connection and TLS handshake together. */
  readonly timeoutMs: number;
  readonly ca: string | undefined;
  readonly dial?: Dial;
  readonly onSocket?: (socket: Socket) => void;
};

/** A second and third address help when one is down; with more, each would get too little time. */
const ADDRESSES_TRIED = 3;

/**
 * The connector that undici calls for every new socket, also for literal addresses. undici resolves nothing itself, so that no
 * address bypasses the check. It fails with a DialError, never with an undici code: two of them would make undici connect
 * again instead of failing the request.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  return (request, callback) => {
    openSocket(request, options).then(
      (socket) => {
        options.onSocket?.(socket);
        callback(null, socket);
      },
      (error: unknown) => {
        callback(
          error instanceof DialError
            ? error
            : new DialError('refused', 'The host could not be reached.', { cause: error }),
          null,
        );
      },
    );
  };
}

async function openSocket(request: buildConnector.Options, options: ConnectorOptions): Promise<Socket> {
  const deadline = performance.now() + options.timeoutMs;
  const addresses = await checkedAddresses(request.hostname, options);
  const secure = request.protocol === 'https:';
  const servername = isIP(request.hostname) === 0 ? bareHost(request.hostname) : '';
  let firstError: unknown;
  for (const [tried, address] of addresses.entries()) {
    // The remaining time is shared evenly, so that an address that drops packets cannot use up the time of the next one.
    const timeoutMs = Math.max((deadline - performance.now()) / (addresses.length - tried), 1);
    const port = request.port === '' ? (secure ? 443 : 80) : Number(request.port);
    const target = { address, port, tls: secure ? { servername, ca: options.ca } : null, timeoutMs };
    try {
      return assertReached(await (options.dial ?? dialAddress)(target), address, options.exempt);
    } catch (error) {
      firstError ??= error;
      // The host was reached: its other addresses would fail alike, and a wrong peer must not be worked around.
      if (error instanceof DialError && (error.fault === 'tls' || error.fault === 'blocked')) throw error;
    }
  }
  throw firstError;
}

/** The addresses to try, in order. One blocked address blocks the name, even if that address would not be tried. */
async function checkedAddresses(hostname: string, options: ConnectorOptions): Promise<readonly string[]> {
  const resolution = isIP(hostname) === 0 ? await resolveWithin(options.resolve, hostname, options.timeoutMs) : null;
  if (resolution?.ok === false) {
    const text = resolution.timedOut
      ? 'The host name could not be resolved in time.'
      : 'The host name could not be resolved.';
    throw new DialError('dns', text, { cause: resolution.cause });
  }
  const addresses = resolution === null ? [hostname] : resolution.addresses;
  if (!options.exempt && !addresses.every(isPublicAddress)) throw new DialError('blocked', NOT_PUBLIC);
  const first = isIP(addresses[0] ?? '');
  const otherFamily = addresses.find((address) => isIP(address) !== first);
  const inOrder = otherFamily === undefined ? addresses : [addresses[0] ?? '', otherFamily, ...addresses.slice(1)];
  return [...new Set(inOrder)].slice(0, ADDRESSES_TRIED);
}

/** Checks again which address the socket is really connected to. */
function assertReached(socket: Socket, address: string, exempt: boolean): Socket {
  const remote = socket.remoteAddress;
  if (socket.destroyed || remote === undefined)
    throw new DialError('refused', 'The host closed the connection at once.');
  if (!exempt && !(isSameAddress(remote, address) && isPublicAddress(remote))) {
    socket.destroy();
    throw new DialError('blocked', NOT_PUBLIC);
  }
  return socket;
}
