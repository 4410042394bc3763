// Tests sending to misbehaving endpoints: the outcome of an attempt, and what is stored about it (contract 4.10).
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureVersion, TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';

import { regionNames } from '../../src/base/regions.ts';
import { createGuardedClient, type GuardedClientOptions } from '../../src/platform/outbound/guarded-client.ts';
import { outcomeOfHttp, type SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { signedPost } from '../../src/platform/outbound/signed-post.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, receiverTls, startRawReceiver, startReceiver } from '../support/receiver.ts';
import { traceOf } from '../support/trace.ts';
import { type Expected, hostileEndpoints, pour } from './hostile-endpoints.ts';

const NOW = '2026-11-20T18:00:00.000Z';
const HOUR_SECONDS = 3600;

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

function opened<Closable extends { close(): Promise<void> }>(resource: Closable): Closable {
  open.push(() => resource.close());
  return resource;
}

/** Sends like the webhook channel and the callbacks. */
async function attempt(url: string, options: Partial<GuardedClientOptions> = {}): Promise<SendOutcome> {
  const client = opened(createGuardedClient({ allowTargets: [new URL(url).origin], ...options }));
  const secrets = ['whsec_dGhlIHNlY3JldCBvZiBub2JvZHkgYXQgYWxs'];
  const now = new Date(NOW);
  return outcomeOfHttp(await client.post(signedPost({ url, id: 'dlv_1', body: '{}', secrets }, now)), now);
}

describe('An attempt', () => {
  it.each(hostileEndpoints)(
    'has the expected outcome at an endpoint that responds with $what',
    async ({ start, expected }) => {
      const { url } = opened(await start());
      expect(await attempt(url)).toMatchObject(expected);
    },
  );

  it('reads at most 64 KiB of a body', async () => {
    const poured = Promise.withResolvers<number>();
    const receiver = opened(
      await startRawReceiver((socket) => pour(socket, 'HTTP/1.1 200 OK\r\n\r\n', poured.resolve)),
    );
    expect(await attempt(receiver.origin)).toMatchObject({ kind: 'taken' });
    // The kernel's buffers on both sides accept bytes that are never read; the rest was never sent.
    expect(await poured.promise).toBeLessThan(2 ** 26);
  });
});

describe('An attempt that exceeds its time limit', () => {
  const DRIP_MS = 20;
  const unknown = {
    kind: 'not_taken',
    why: 'later',
    receipt: 'unknown',
    responseCode: null,
    error: 'No response came in time.',
  };
  const rows: ReadonlyArray<readonly [start: string, drop: string, expected: object]> = [
    ['', '', unknown],
    ['', 'H', { ...unknown, error: 'The response was not valid HTTP.' }],
    ['HTTP/1.1 200 O', 'O', unknown],
    ['HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 103 x\r\n\r\n', unknown],
    ['HTTP/1.1 200 OK\r\n', 'x', { kind: 'taken', responseCode: 200, responseSnippet: null }],
    ['HTTP/1.1 200 OK\r\n', 'x: y\r\n', { kind: 'taken', responseCode: 200, responseSnippet: null }],
    ['HTTP/1.1 200 OK\r\n\r\n', 'x', { kind: 'taken', responseCode: 200 }],
    ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nthanks', '', { kind: 'taken', responseSnippet: 'thanks' }],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n', { kind: 'taken', responseCode: 200 }],
    ['HTTP/1.1 503 Busy\r\n', 'x', { kind: 'not_taken', receipt: 'unknown', responseCode: 503 }],
    ['HTTP/1.1 404 Not Found\r\n\r\n', 'x', { kind: 'not_taken', why: 'refused', receipt: 'no', responseCode: 404 }],
  ];

  it('is cut off, and its status line decides the outcome', async () => {
    const gone: Array<Promise<unknown>> = [];
    const receiver = opened(
      await startRawReceiver((socket, { path }) => {
        const [start, drop] = rows[Number(path.slice(1))] ?? ['', ''];
        socket.setNoDelay(true);
        socket.write(start);
        const timer = setInterval(() => socket.write(drop), DRIP_MS);
        gone.push(new Promise((resolve) => socket.once('close', resolve)).then(() => clearInterval(timer)));
      }),
    );
    // Long enough for loopback at its slowest, and all attempts wait concurrently.
    const outcomes = await Promise.all(
      rows.map((_, index) => attempt(`${receiver.origin}/${index}`, { totalTimeoutMs: 2000 })),
    );
    for (const [index, [start, drop, expected]] of rows.entries())
      expect(outcomes[index], `${start}… ${drop}`).toMatchObject(expected);
    await Promise.all(gone);
    expect(receiver.requests).toHaveLength(rows.length);
  });
});

describe('An attempt at an endpoint whose certificate does not verify', () => {
  const certificate = (name: string): string =>
    readFileSync(new URL(`../support/tls/${name}-cert.pem`, import.meta.url), 'utf8');

  async function serving(options: TlsOptions): Promise<{ port: number; requests: () => number }> {
    let requests = 0;
    const server = createServer(options, (_, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { port: (server.address() as AddressInfo).port, requests: () => requests };
  }

  const tls = (error: string): Expected => ({
    kind: 'not_taken',
    why: 'later',
    receipt: 'no',
    responseCode: null,
    error,
  });
  const { cert, key } = receiverTls;
  const old: SecureVersion = 'TLSv1.1';

  it.each([
    {
      what: 'the certificate has expired',
      cert: certificate('expired'),
      ca: certificate('expired'),
      host: 'localhost',
      expected: tls('The certificate has expired.'),
    },
    {
      what: 'the certificate is not valid yet',
      cert: certificate('early'),
      ca: certificate('early'),
      host: 'localhost',
      expected: tls('The certificate is not valid yet.'),
    },
    {
      what: 'the certificate is for another host',
      ca: cert,
      host: 'leads.summit.example',
      expected: tls('The certificate is not valid for this host.'),
    },
    {
      what: 'the issuer of the certificate is unknown',
      host: 'localhost',
      expected: tls('The certificate is not signed by an authority that is trusted.'),
    },
    {
      what: 'the protocol is too old',
      ca: cert,
      host: 'localhost',
      server: { minVersion: old, maxVersion: old, ciphers: 'ALL:@SECLEVEL=0' },
      expected: tls('The TLS handshake failed.'),
    },
    {
      what: 'the endpoint requires a client certificate',
      ca: cert,
      host: 'localhost',
      server: { requestCert: true, maxVersion: 'TLSv1.2' as const },
      expected: tls('The TLS handshake failed.'),
    },
  ])('sends no request if $what', async ({ host, ca, server = {}, expected, ...more }) => {
    const { port, requests } = await serving({ cert: more.cert ?? cert, key, ...server });
    const options = { resolve: async () => ['127.0.0.1'], ...(ca === undefined ? {} : { tls: { ca } }) };
    expect(await attempt(`https://${host}:${port}/`, options)).toMatchObject(expected);
    expect(requests()).toBe(0);
  });
});

type Market = TestMarketplace & {
  /** Sends one lead to each partner; returns their ids. */
  sellToAll(): Promise<string[]>;
};

/** A partner for each URL that buys the leads of one state; the second partner is never asked. */
async function openMarket(urls: readonly string[], clock: HandClock): Promise<Market> {
  const states = Object.keys(regionNames(['US']));
  const market = opened(
    await startTestMarketplace({
      yaml: `
marketplace: { retrySeconds: [0, ${HOUR_SECONDS}] }
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
${urls
  .map(
    (url, index) => `
  - key: partner-${index}
    channels: [webhook]
    settings: { webhookUrl: "${url}" }
    billing: { mode: postpaid, creditLimit: 1000 }
    offers: [{ key: offer-${index}, eventType: Lead Sale, payout: 40, filters: { states: [${states[index]}] } }]`,
  )
  .join('')}
`,
      clock,
      allowTargets: urls.map((url) => new URL(url).origin),
    }),
  );
  const supplier = connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 8 });
  opened(supplier);
  return {
    ...market,
    async sellToAll() {
      const responses = await supplier.postAll(urls.map((_, index) => leadBody(index, { state: states[index] })));
      return responses.map(({ json }) => json.lead_id);
    },
  };
}

type Attempt = { [member in 'state' | 'error' | 'responseCode' | 'responseSnippet' | 'nextAttemptAt']?: unknown };

/** The first attempt for this lead, once it is over. */
const firstAttempt = (market: Market, leadId: string): Promise<Attempt & { deliveryStatus: unknown }> =>
  eventually(`the first attempt for ${leadId} is over`, async () => {
    const { attempts, deliveries } = await traceOf(market.database, leadId);
    const [first] = attempts as readonly Attempt[];
    const isOver = first !== undefined && first.state !== 'scheduled';
    return isOver ? { ...first, deliveryStatus: deliveries[0]?.['status'] } : null;
  });

describe('The service', () => {
  it('stores the outcome of each such attempt and continues accordingly', async () => {
    const endpoints = await Promise.all(hostileEndpoints.map(async ({ start }) => opened(await start())));
    const market = await openMarket(
      endpoints.map(({ url }) => url),
      handClock(NOW),
    );
    const leadIds = await market.sellToAll();
    for (const [index, { what, expected }] of hostileEndpoints.entries()) {
      const leadId = leadIds[index] ?? '';
      const found = await firstAttempt(market, leadId);
      const { kind, why, receipt, ...facts } = expected;
      expect(found, what).toMatchObject(facts);
      const jobs = await jobsOf(market, index);
      if (kind === 'taken') {
        expect(found, what).toMatchObject({ state: 'succeeded', nextAttemptAt: null, deliveryStatus: 'Confirmed' });
        expect(jobs, what).toEqual([]);
      } else if (why === 'gone') {
        expect(found, what).toMatchObject({ state: 'exhausted', nextAttemptAt: null, deliveryStatus: 'Failed' });
        expect(jobs, what).toEqual([]);
      } else {
        expect(found, what).toMatchObject({ state: 'failed', deliveryStatus: 'Pending' });
        expect(secondsUntil(found.nextAttemptAt), what).toBeGreaterThanOrEqual(0.8 * HOUR_SECONDS);
        expect(secondsUntil(found.nextAttemptAt), what).toBeLessThanOrEqual(1.2 * HOUR_SECONDS);
        expect(jobs, what).toMatchObject([{ attempts: 1, steps: 1 }]);
        if (receipt !== undefined) expect(jobs, what).toMatchObject([{ uncertain: receipt === 'no' ? 0 : 1 }]);
      }
    }
    expect(await ledgerFaults(market.database, { atRest: false })).toEqual([]);
  });

  it('waits as long as a busy endpoint asks for, in seconds or until a date, at most a day', async () => {
    const day = 24 * HOUR_SECONDS;
    const rows: ReadonlyArray<readonly [header: string, least: number, most: number]> = [
      ['7200', 7200, 7200],
      ['86400', day, day],
      ['86401', day, day],
      ['99999999999999999999', day, day],
      ['Fri, 20 Nov 2026 20:00:00 GMT', 7200, 7200],
      ['Friday, 20-Nov-26 20:00:00 GMT', 7200, 7200],
      ['Fri Nov 20 20:00:00 2026', 7200, 7200],
      ['Fri, 20 Nov 2099 20:00:00 GMT', day, day],
      ...[
        '0',
        '1',
        '-7200',
        'Fri, 20 Nov 2020 20:00:00 GMT',
        '7200.5',
        '7200s',
        '2h',
        'soon',
        '7200, 9000',
        'Infinity',
        '1e9',
        '0x1c20',
        'Fri, 20 Nov 2026 20:00:00 PST',
        '2026-11-20T20:00:00Z',
        ' ',
      ].map((header) => [header, 0.8 * HOUR_SECONDS, 1.2 * HOUR_SECONDS] as const),
    ];
    const receivers: Receiver[] = [];
    for (const [index, [header]] of rows.entries()) {
      const status = index % 2 === 0 ? 429 : 503;
      receivers.push(opened(await startReceiver({ respond: () => ({ status, headers: { 'retry-after': header } }) })));
    }
    const market = await openMarket(
      receivers.map(({ origin }) => origin),
      handClock(NOW),
    );
    const leadIds = await market.sellToAll();
    for (const [index, [header, least, most]] of rows.entries()) {
      const { nextAttemptAt } = await firstAttempt(market, leadIds[index] ?? '');
      expect(secondsUntil(nextAttemptAt), header).toBeGreaterThanOrEqual(least);
      expect(secondsUntil(nextAttemptAt), header).toBeLessThanOrEqual(most);
      // After a wait of any length it takes one step, like any other retry.
      expect(await jobsOf(market, index), header).toMatchObject([{ attempts: 1, steps: 1 }]);
    }
  });
});

const secondsUntil = (at: unknown): number => (Date.parse(String(at)) - Date.parse(NOW)) / 1000;
const jobsOf = ({ database }: Market, index: number): Promise<unknown[]> =>
  select(database, 'SELECT attempts, steps, uncertain FROM send_job WHERE buyer_key = $1', [`partner-${index}`]);
