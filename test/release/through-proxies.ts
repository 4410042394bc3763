// Uses the service through nginx and through HAProxy, with the configurations of ops/: a lead, a sign-in, an event stream, an export, limits.
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { Agent, request } from 'undici';

import { openDatabase } from '../../src/platform/database/database.ts';
import { useEmbeddedEngine } from '../../src/platform/database/embedded-engine.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import { select } from '../support/ledger-faults.ts';
import { startServer } from '../support/server-process.ts';
import { type Proxy, startHaproxy, startNginx } from './proxies.ts';

/** The client's own address on loopback, and an address that it claims to have. */
const [CLIENT, CLAIMED] = ['127.0.0.9', '203.0.113.9'];

type Check = (holds: boolean, sentence: string) => void;
type Service = {
  readonly url: string;
  readonly supplierKey: string;
  readonly token: string;
  readonly password: string;
};

/** Starts the service with its demo, whose history is what is exported. */
export async function useThroughProxies(directory: string, check: Check): Promise<void> {
  const dataDir = join(directory, 'data');
  const server = await startServer({ DATA_DIR: dataDir, DEMO: 'on', TRUST_PROXY: '127.0.0.1' });
  const engine = await useEmbeddedEngine({ dataDir, log: () => undefined });
  const database = openDatabase({ connection: engine.connection, connections: 1 });
  try {
    const printed = (pattern: RegExp): string => pattern.exec(server.output())?.[1] ?? '';
    const service = {
      url: server.url,
      supplierKey: printed(/^Supplier key {2}(\S+)$/m),
      token: printed(/^Buyer token {2}(\S+)$/m),
      password: decodeURIComponent(printed(/&password=(\S+)$/m)),
    };
    const port = Number(new URL(server.url).port);
    for (const [name, start] of Object.entries({ nginx: startNginx, HAProxy: startHaproxy })) {
      const proxy = await start(directory, [port, port]);
      try {
        await useThrough(proxy, service, (holds, sentence) => check(holds, `through ${name} ${sentence}`));
        const [opened] = await select<{ ip: string }>(
          database,
          `SELECT ip FROM audit_event WHERE action = 'session.opened' ORDER BY audit_id DESC LIMIT 1`,
        );
        check(opened?.ip === CLIENT, `behind ${name} the client's address is ${opened?.ip}, not what it claims`);
      } finally {
        await proxy.stop();
      }
    }
  } finally {
    await database.close();
    await engine.release();
    server.signal('SIGTERM');
    await server.ended;
  }
}

async function useThrough(proxy: Proxy, { url, supplierKey, token, password }: Service, check: Check): Promise<void> {
  const dispatcher = new Agent({ localAddress: CLIENT });
  const send = (path: string, options: Parameters<typeof request>[1] = {}) =>
    request(`${proxy.url}${path}`, { dispatcher, ...options });
  const post = async (path: string, body: object, headers: Record<string, string>) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const serial = Math.trunc(performance.now());
  const key = { 'x-api-key': supplierKey };
  try {
    const session = await post(
      '/console/api/session',
      { name: 'demo', password },
      { origin: proxy.url, 'x-forwarded-for': CLAIMED, 'x-forwarded-host': 'elsewhere.example' },
    );
    const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
    await session.body.dump();
    check(session.statusCode === 200 && cookie.startsWith('__Host-'), 'an operator signs in, with a cookie for https');

    const stream = await send('/console/api/stream', { headers: { cookie, accept: 'text/event-stream' } });
    let seen = '';
    stream.body.setEncoding('utf8').on('data', (text: string) => (seen += text));
    stream.body.on('error', () => undefined);
    await eventually('the stream begins', () => seen.includes('retry:'));
    const lead = await post('/api/v1/ingest', leadBody(serial, { external_id: `through-${serial}` }), key);
    await lead.body.dump();
    check(lead.statusCode === 202, 'a lead is accepted');
    await eventually('an event arrives', () => seen.includes('event: change'));
    check(true, 'an event arrives without being held back');
    await eventually('a beat arrives', () => /^:$/m.test(seen));
    check(true, 'the stream stays open');
    stream.body.destroy();

    const large = await post('/api/v1/ingest', { note: 'x'.repeat(70_000) }, key);
    const type = String(large.headers['content-type']);
    await large.body.dump();
    check(
      large.statusCode === 413 && type.includes('problem+json'),
      'a body over 64 KiB gets the response of the service',
    );
    const huge = await post('/api/v1/ingest', { note: 'x'.repeat(6_300_000) }, key).then(
      async ({ statusCode, body }) => body.dump().then(() => statusCode),
      () => 'cut',
    );
    check(huge === 413 || huge === 'cut', 'a body over 6 MB is rejected by the proxy');

    // The export is streamed row by row; the script of /docs has 4 MB.
    for (const path of ['/api/v1/buyer/export', '/docs/js/scalar.js']) {
      const headers = { authorization: `Bearer ${token}` };
      const [direct, through] = await Promise.all([request(`${url}${path}`, { headers }), send(path, { headers })]);
      const [bytes, hash] = await digest(through.body);
      check(hash === (await digest(direct.body))[1], `${path} has the same ${bytes} bytes as without it`);
    }
    const metrics = await send('/metrics');
    await metrics.body.dump();
    check(metrics.statusCode === 404, 'the metrics are not there');
  } finally {
    await dispatcher.destroy();
  }
}

async function digest(body: AsyncIterable<Buffer>): Promise<[number, string]> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return [bytes, hash.digest('hex')];
}
