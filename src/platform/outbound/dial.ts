// Opens one socket to one literal address, with or without TLS, and describes a failure in words that partners may read.
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export type DialFault = 'blocked' | 'dns' | 'refused' | 'tls' | 'timeout';

/** No connection was made, so nothing of the request was written and non-receipt is certain. The message may be shown to the partner. */
export class DialError extends Error {
  readonly fault: DialFault;

  constructor(fault: DialFault, publicText: string, options?: { cause?: unknown }) {
    super(publicText, options);
    this.name = 'DialError';
    this.fault = fault;
  }
}

export type DialTarget = {
  /** A literal IPv4 or IPv6 address: nothing is resolved here. */
  readonly address: string;
  readonly port: number;
  /** Null for plain HTTP. With an empty `servername` none is sent, and the certificate must name the address. */
  readonly tls: { readonly servername: string; readonly ca: string | undefined } | null;
  readonly timeoutMs: number;
};
export type Dial = (target: DialTarget) => Promise<Socket>;

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** A connected socket, after the TLS handshake where there is one; rejects with a DialError. */
export function dialAddress(target: DialTarget): Promise<Socket> {
  const { address: host, port, tls } = target;
  return new Promise((resolve, reject) => {
    const socket =
      tls === null
        ? connectTcp({ host, port })
        : // rejectUnauthorized is explicit, so that no environment variable can disable it.
          connectTls({
            host,
            port,
            servername: tls.servername,
            ca: tls.ca,
            ALPNProtocols: ['http/1.1'],
            rejectUnauthorized: true,
          });
    let connected = false;
    const fail = (error: DialError): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new DialError('timeout', 'No connection was made in time.')), target.timeoutMs);
    socket.setNoDelay(true);
    // The listener stays: an error after the hand-over, before the next owner listens, must not end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => fail(connected ? tlsFault(error) : connectFault(error)));
    // Otherwise only the timer would notice a peer that closes during the handshake.
    socket.once('close', () => fail(connected ? tlsFault(null) : connectFault(null)));
    socket.once('connect', () => {
      connected = true;
    });
    socket.once(tls === null ? 'connect' : 'secureConnect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

function connectFault(error: NodeJS.ErrnoException | null): DialError {
  if (error?.code === 'ETIMEDOUT') return new DialError('timeout', 'No connection was made in time.', { cause: error });
  const refused = error?.code === 'ECONNREFUSED';
  return new DialError('refused', refused ? 'The connection was refused.' : 'The host could not be reached.', {
    cause: error,
  });
}

function tlsFault(error: NodeJS.ErrnoException | null): DialError {
  return new DialError('tls', tlsText(error?.code ?? ''), { cause: error });
}

function tlsText(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'The certificate has expired.';
  if (code === 'CERT_NOT_YET_VALID') return 'The certificate is not valid yet.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'The certificate is not valid for this host.';
  if (UNTRUSTED.has(code)) return 'The certificate is not signed by an authority that is trusted.';
  return 'The TLS handshake failed.';
}
