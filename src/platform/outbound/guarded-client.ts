// The HTTP client for partners' and suppliers' URLs: it cannot reach a private address, follows no redirect that its caller does not ask for, and
// never exceeds its time limit (contract 4.10, 5.7).
import assert from 'node:assert';
import { Agent } from 'undici';
import { createFirstLines, type FirstLines } from './first-line.ts';
import { createConnector } from './guarded-connector.ts';
import type { FreeRequest, GetRequest, HttpOutcome, PostRequest } from './http-outcome.ts';
import { lookupAll, shareLookups, type Resolve } from './resolve-name.ts';
import { sendOnce } from './send-once.ts';
import { type AllowedTargets, checkTargetUrl } from './target.rules.ts';

export type GuardedClientOptions = {
  /** Targets that may have any address and use plain HTTP. */
  readonly allowTargets: AllowedTargets;
  readonly resolve?: Resolve;
  /** DNS lookup, connection and TLS handshake of one socket. */
  readonly connectTimeoutMs?: number;
  /** The whole exchange: waiting for a socket, connecting, sending, reading the response. */
  readonly totalTimeoutMs?: number;
  readonly maxBodyBytes?: number;
  readonly snippetBytes?: number;
  readonly socketsPerOrigin?: number;
  /** A PEM authority to trust instead of the system's. */
  readonly tls?: { readonly ca?: string };
};

export type GuardedClient = {
  readonly post: (request: PostRequest) => Promise<HttpOutcome>;
  /** For the operator's own services. */
  readonly get: (request: GetRequest) => Promise<HttpOutcome>;
  /** Also says everything that was received, as far as it was read. */
  readonly request: (request: FreeRequest) => Promise<HttpOutcome>;
  /** Lets running requests finish (their time is bounded), then closes every socket. */
  readonly close: () => Promise<void>;
};

/**
 * More than all senders of a process have running at once. Many partners may share one origin, and hanging ones must not hold the
 * sockets that others wait for; concurrency is limited before a request gets here.
 */
const SOCKETS_PER_ORIGIN = 512;
/** Common servers close an idle socket after 5 s or more: closing it earlier avoids writing to one that is being closed. */
const IDLE_MS = 4_000;
const LONGEST_IDLE_MS = 30_000;
/** A socket takes no more requests after this, so that a partner's DNS change takes effect. */
const SOCKET_LIFE_MS = 300_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * Reads at most `maxBodyBytes` (64 KiB) of a response and keeps `snippetBytes` (1 KiB) of it; takes at most 5 s to connect and 15 s in
 * all, by default.
 */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const {
    allowTargets,
    connectTimeoutMs = 5_000,
    totalTimeoutMs = 15_000,
    maxBodyBytes = 65_536,
    snippetBytes = 1_024,
    socketsPerOrigin = SOCKETS_PER_ORIGIN,
  } = options;
  const firstLines = createFirstLines();
  const resolve = shareLookups(options.resolve ?? lookupAll);
  // Two pools, so that a socket opened for an exempt target never carries a request to another one.
  const [guarded, exempt] = [false, true].map((isExempt) =>
    createAgent({
      resolve,
      exempt: isExempt,
      timeoutMs: connectTimeoutMs,
      ca: options.tls?.ca,
      firstLines,
      sockets: socketsPerOrigin,
    }),
  ) as [Agent, Agent];
  const send = async (
    method: FreeRequest['method'],
    request: GetRequest,
    { body, keepReceived = false }: { readonly body: Buffer | null; readonly keepReceived?: boolean },
  ): Promise<HttpOutcome> => {
    const startedAt = performance.now();
    const verdict = checkTargetUrl(request.url, allowTargets);
    if (!verdict.ok) return { kind: 'error', error: 'blocked', message: verdict.reason, receipt: 'no', latencyMs: 0 };
    const agent = verdict.exempt ? exempt : guarded;
    const exchange = {
      method,
      url: verdict.url,
      headers: headersOf(request.headers),
      body,
      signal: request.signal,
      startedAt,
      deadline: startedAt + Math.min(request.timeoutMs ?? totalTimeoutMs, totalTimeoutMs),
      maxBodyBytes: request.keepBodyBytes ?? maxBodyBytes,
      snippetBytes,
      keepBody: request.keepBodyBytes !== undefined,
      keepReceived,
      firstLines,
    };
    const outcome = await sendOnce(agent, exchange);
    return failedUnwritten(outcome) ? await sendOnce(agent, exchange) : outcome;
  };
  return {
    async post({ body, outputOf, ...request }) {
      const startedAt = performance.now();
      const outcome = await send('POST', request, { body: Buffer.isBuffer(body) ? body : Buffer.from(body, 'utf8') });
      const url = outcome.kind === 'response' ? (outputOf?.(outcome) ?? null) : null;
      if (url === null) return outcome;
      const timeoutMs = (request.timeoutMs ?? totalTimeoutMs) - (performance.now() - startedAt);
      return { ...outcome, output: await send('GET', { ...request, url, headers: {}, timeoutMs }, { body: null }) };
    },
    async get(request) {
      return send('GET', request, { body: null });
    },
    async request({ method, body, ...request }) {
      return send(method, request, { body: body === null ? null : Buffer.from(body, 'utf8'), keepReceived: true });
    },
    async close() {
      await Promise.all([guarded.close(), exempt.close()]);
    },
  };
}

/**
 * undici keeps one request per socket (pipelining 1): once written, a request is never sent again, and fails if its socket dies. A request
 * whose socket is closed before the write stays in the queue and gets another one; only a reset at that moment fails it. HTTP/2 is off,
 * because there undici sends rejected requests again.
 */
function createAgent(options: {
  resolve: Resolve;
  exempt: boolean;
  timeoutMs: number;
  ca: string | undefined;
  firstLines: FirstLines;
  sockets: number;
}): Agent {
  return new Agent({
    connect: createConnector({ ...options, onSocket: options.firstLines.watch }),
    connections: options.sockets,
    pipelining: 1,
    allowH2: false,
    // Both off: the exchange itself enforces the one limit on everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
    clientTtl: SOCKET_LIFE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}

/**
 * The only case that is repeated: a kept-alive socket turned out dead or out of step before a byte was written, so that a second try
 * cannot deliver twice. Failures to open a socket have other codes.
 */
function failedUnwritten(outcome: HttpOutcome): boolean {
  return outcome.kind === 'error' && outcome.receipt === 'no' && ['reset', 'protocol'].includes(outcome.error);
}

/** Asks for an uncompressed response and overrides the caller's header, because nothing here can decompress one. */
function headersOf(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'lead-marketplace' };
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
  assert(!('host' in headers), 'the host of a request is that of its checked URL');
  headers['accept-encoding'] = 'identity';
  return headers;
}
