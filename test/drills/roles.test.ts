// Tests starting, stopping and killing the service's processes: roles side by side, drains, rejected starts (contract 8).
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { call } from '../support/api-client.ts';
import { ledgerFaults, leadsByStatus } from '../support/ledger-faults.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { descendantsOf, isRunning } from '../support/processes.ts';
import { type Reply, startReceiver } from '../support/receiver.ts';
import {
  killServers,
  makeDataDir,
  openMarketplace,
  runLeadmarket,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts';

const marketplaceFile = (settings: string): string => `
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - key: summit
    ${settings}
    offers: [{ key: summit-all, eventType: Lead Sale, payout: 45.00 }]
`;

const withWebhook = (url: string): string =>
  marketplaceFile(`channels: [webhook]\n    settings: { webhookUrl: "${url}" }`);

const endings: Array<() => unknown> = [];
afterAll(async () => {
  await killServers();
  for (const end of endings.toReversed()) await end();
});

function newDataDir(): string {
  const { path, remove } = makeDataDir();
  endings.push(remove);
  return path;
}

/** A POST of which the server has read the headers and waits for the body. */
async function beginPost(url: string, key: string, lead: object): Promise<{ finish(): Promise<string> }> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  // A cut connection shows by the missing response.
  socket.on('error', () => socket.destroy());
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  const body = JSON.stringify(lead);
  socket.write(
    `POST /api/v1/ingest HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await eventually('the server asks for the body', () => received.startsWith('HTTP/1.1 100 '));
  return {
    async finish() {
      socket.write(body);
      return eventually('it is answered', () => {
        if (socket.destroyed && !received.endsWith('}')) throw new Error(`the connection was cut after: ${received}`);
        const response = /HTTP\/1\.1 [2-5].*/s.exec(received)?.[0];
        return response?.endsWith('}') === true ? response : null;
      });
    },
  };
}

/** The pids of a server's children, among them its database. */
function processTreeOf({ pid }: ServerProcess, dataDir: string): number[] {
  const processTree = [pid, ...descendantsOf(pid)];
  expect(processTree).toContain(databasePid(dataDir));
  return processTree;
}

const databasePid = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

// First, because it takes longest and can wait beside the others.
describe('The command migrate', () => {
  it('names what it applied, and the second time that there was nothing to do', async () => {
    const { url, drop } = await createTestDatabase({ isEmpty: true });
    endings.push(drop);
    const first = await runLeadmarket({ DATABASE_URL: url }, 'migrate', '--json');
    expect([first.code, first.json.already, first.json.applied[0]]).toEqual([0, 0, expect.stringMatching(/^0001-/)]);
    const second = await runLeadmarket({ DATABASE_URL: url }, 'migrate', '--json');
    expect([second.code, second.json]).toEqual([0, { applied: [], already: first.json.applied.length }]);
  });
});

describe.concurrent('API and worker as separate processes on one database', () => {
  it(
    'share the work, and another worker continues the jobs of a killed one within a minute',
    // A dead worker on another machine cannot be detected before its lease of 40 s has ended.
    async () => {
      const { database, url: databaseUrl, drop } = await createTestDatabase();
      const held = Promise.withResolvers<Reply>();
      const receiver = await startReceiver({
        respond: (request) => (receiver.requests.indexOf(request) < 5 ? held.promise : { status: 200 }),
      });
      endings.push(drop, () => receiver.close());
      const env = { DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_TARGETS: receiver.origin };
      const key = await openMarketplace(env, withWebhook(receiver.origin), { keyFor: 'acme' });

      const api = await startServer(env, { argv: ['serve', '--role', 'api'] });
      const supplier = connectSupplier(api.url, { key, connections: 5 });
      await supplier.postAll(Array.from({ length: 5 }, (_, serial) => leadBody(serial)));
      expect(await leadsByStatus(database)).toEqual({ Pending: 5 });

      const first = await startServer(env, { argv: ['serve', '--role', 'worker'] });
      await eventually('the worker has five leads on their way', () => receiver.requests.length === 5);
      first.signal('SIGKILL');
      expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' });

      const second = await startServer({ ...env, STATUS_PORT: '0' }, { argv: ['serve', '--role', 'worker'] });
      const status = /^Status {2}(\S+)\/readyz$/m.exec(second.output())?.[1] ?? '';
      expect((await call(`${status}/readyz`)).json).toEqual({ status: 'ready' });
      expect((await call(`${status}/healthz`)).json).toEqual({ status: 'ok' });
      await database.pool.query(
        `INSERT INTO scheduled_job (name, due_at, completed_at) VALUES ('fold-counts', $1, $1) ON CONFLICT DO NOTHING`,
        [new Date(Date.now() - 3_600_000)],
      );
      const { text: metrics } = await call(`${status}/metrics`);
      expect(metrics).toMatch(/^leadmarket_queue_oldest_due_seconds\{queue="routing"\} \d+$/m);
      // It may have run once more meanwhile.
      expect(metrics).toMatch(/^leadmarket_queue_oldest_due_seconds\{queue="scheduled_jobs"\} \d+/m);
      expect(metrics).toMatch(/^leadmarket_clock_ahead_seconds -?\d/m);
      // New leads are not delayed by the jobs of the dead worker.
      await supplier.postAll(Array.from({ length: 20 }, (_, serial) => leadBody(100 + serial)));
      await eventually('the new leads have come', () => receiver.requests.length === 25);
      await eventually('the other leads have come', () => receiver.requests.length === 30, { withinMs: 60_000 });
      await eventually('everything is written down', async () => (await ledgerFaults(database)).length === 0);
      expect(await leadsByStatus(database)).toEqual({ 'Lead Sale': 25 });
      expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(25);

      await supplier.close();
      for (const server of [api, second]) server.signal('SIGTERM');
      expect(await Promise.all([api.ended, second.ended])).toEqual([
        { code: 0, signal: null },
        { code: 0, signal: null },
      ]);
    },
  );

  it('stop on request: the API fails its readiness first and serves meanwhile, and the worker ends at once', async () => {
    const { url: databaseUrl, drop } = await createTestDatabase();
    endings.push(drop);
    const env = { DATABASE_URL: databaseUrl, DRAIN_SECONDS: '15', STATUS_PORT: '0' };
    const key = await openMarketplace(env, marketplaceFile('channels: []'), { keyFor: 'acme' });
    const api = await startServer(env, { argv: ['serve', '--role', 'api'] });
    const worker = await startServer(env, { argv: ['serve', '--role', 'worker'] });
    // With a separate port, metrics are not on the port of the API.
    expect((await call(`${api.url}/metrics`)).status).toBe(404);
    expect((await call(`${api.url}/readyz`)).status).toBe(200);
    api.signal('SIGTERM');
    await eventually('readiness is over', async () => (await call(`${api.url}/readyz`)).status === 503);
    // Stopped later and without jobs, it has ended while the API still serves.
    worker.signal('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    const supplier = connectSupplier(api.url, { key, connections: 1 });
    expect((await supplier.post(leadBody(1))).status).toBe(202);
    await supplier.close();
    // It would end by itself after fifteen seconds.
    api.signal('SIGKILL');
    await api.ended;
  });

  it('stop on request: a worker finishes sent attempts and leaves the rest to others', async () => {
    const { database, url: databaseUrl, drop } = await createTestDatabase();
    const held = Promise.withResolvers<Reply>();
    const receiver = await startReceiver({ respond: () => held.promise });
    endings.push(drop, () => receiver.close());
    const env = { DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_TARGETS: receiver.origin };
    const key = await openMarketplace(env, withWebhook(receiver.origin), { keyFor: 'acme' });
    const api = await startServer(env, { argv: ['serve', '--role', 'api'] });
    const worker = await startServer(env, { argv: ['serve', '--role', 'worker'] });
    const supplier = connectSupplier(api.url, { key, connections: 5 });
    await supplier.postAll(Array.from({ length: 40 }, (_, serial) => leadBody(serial)));
    await eventually(
      'the worker has as many on their way as one partner may have',
      () => receiver.requests.length === 16,
    );
    worker.signal('SIGTERM');
    held.resolve({ status: 200 });
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    const carried = receiver.requests.length;
    expect(await ledgerFaults(database, { atRest: false })).toEqual([]);
    const next = await startServer(env, { argv: ['serve', '--role', 'worker'] });
    await eventually('everything is delivered', async () => (await ledgerFaults(database)).length === 0);
    expect(carried).toBeLessThanOrEqual(40);
    // Nothing was sent twice.
    expect(receiver.requests).toHaveLength(40);
    await supplier.close();
    for (const server of [api, next]) server.signal('SIGTERM');
    await Promise.all([api.ended, next.ended]);
  });
});

type Way = { readonly program?: string; readonly argv?: readonly string[] };
const ITSELF: Way = {};
const BY_NPM: Way = { program: 'npm', argv: ['start'] };

describe.concurrent('A server that receives a stop signal', () => {
  it.each([
    ['by SIGTERM', ITSELF, 'SIGTERM', 'process'],
    ['by SIGTERM to npm', BY_NPM, 'SIGTERM', 'process'],
    ['by Ctrl-C', ITSELF, 'SIGINT', 'group'],
    ['by Ctrl-C at npm', BY_NPM, 'SIGINT', 'group'],
  ] as const)(
    '%s responds to current requests, exits with 0 and leaves nothing behind',
    async (_how, way, signal, to) => {
      const dataDir = newDataDir();
      const env = { DATA_DIR: dataDir };
      const server = await startServer(env, way);
      const key = await openMarketplace(env, marketplaceFile('channels: []'), { keyFor: 'acme' });
      const processTree = processTreeOf(server, dataDir);
      const posting = await beginPost(server.url, key, leadBody(1));
      server.signal(signal, to);
      await eventually('new requests are refused', async () => {
        try {
          return (await call(`${server.url}/readyz`)).status === 503;
        } catch (error) {
          // The listener is closed already.
          return error instanceof TypeError;
        }
      });
      const response = await posting.finish();
      expect(response).toMatch(/^HTTP\/1\.1 202 /);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      await eventually('all of its processes are gone', () => !processTree.some(isRunning));
      expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
      const { json } = await runLeadmarket(env, 'lead', 'list', '--json');
      expect(json.data).toMatchObject([{ externalId: 'lead-1' }]);
      expect(response).toContain(json.data[0].leadId);
    },
  );
});

describe.concurrent('A server does not start', () => {
  it('a second time on one data directory, and the first goes on', async () => {
    const dataDir = newDataDir();
    const first = await startServer({ DATA_DIR: dataDir });
    const second = await runLeadmarket({ DATA_DIR: dataDir, PORT: '0', DEMO: 'off' }, 'serve');
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`Another server is running on ${dataDir}`);
    expect(second.stderr).not.toContain('    at ');
    expect((await call(`${first.url}/readyz`)).status).toBe(200);
    first.signal('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null });
  });

  it('in an invalid environment, of which every fault is reported', async () => {
    const dataDir = newDataDir();
    const { code, stdout, stderr } = await runLeadmarket(
      {
        DATA_DIR: dataDir,
        PORT: '70000',
        DEMO: 'maybe',
        LOG_LEVEL: 'loud',
        TRUST_PROXY: 'true',
        ALLOW_MISSING_TENANT_WALL: 'on',
        DATABASE_URL: 'mysql://root:hunter2@localhost/leads',
        WEBHOOK_ALLOW_TARGETS: 'example.com',
      },
      'serve',
    );
    expect([code, stdout]).toEqual([1, '']);
    for (const name of [
      'PORT',
      'DEMO',
      'LOG_LEVEL',
      'TRUST_PROXY',
      'ALLOW_MISSING_TENANT_WALL',
      'DATABASE_URL',
      'WEBHOOK_ALLOW_TARGETS',
    ]) {
      expect(stderr).toContain(name);
    }
    expect(stderr).not.toContain('hunter2');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('on an address in use, and stops its database again', async () => {
    const dataDir = newDataDir();
    const other = await startReceiver();
    const { port } = new URL(other.origin);
    const { code, stderr } = await runLeadmarket({ DATA_DIR: dataDir, PORT: port, DEMO: 'off' }, 'serve');
    await other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}`);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });
});

describe.concurrent('A server whose embedded database is killed', () => {
  it('restarts it, loses nothing acknowledged, and stays the only user', async () => {
    const dataDir = newDataDir();
    const env = { DATA_DIR: dataDir };
    const server = await startServer(env);
    const key = await openMarketplace(env, marketplaceFile('channels: []'), { keyFor: 'acme' });
    const supplier = connectSupplier(server.url, { key, connections: 4 });
    const before = await supplier.postAll([1, 2, 3].map((serial) => leadBody(serial)));
    const killed = databasePid(dataDir);
    process.kill(killed, 'SIGKILL');
    const after = await eventually('leads are accepted again', async () => {
      const response = await supplier.post(leadBody(4));
      expect([202, 503]).toContain(response.status);
      return response.status === 202 ? response : null;
    });
    // A backend that outlives its postmaster briefly may have stored it; the next response comes from the new server.
    await eventually('the database runs again', () => {
      // Between the two no file names a process.
      return existsSync(join(dataDir, 'postgres/postmaster.pid')) && databasePid(dataDir) !== killed;
    });
    const ids = [...before, after].map(({ json }) => json.lead_id).toSorted();
    await eventually('all of them are decided', async () => {
      const { json } = await runLeadmarket(env, 'lead', 'list', '--state', 'routed', '--json');
      return (
        json.data
          .map(({ leadId }: { leadId: string }) => leadId)
          .toSorted()
          .join() === ids.join()
      );
    });
    await eventually('the server says so', () => server.output().includes('the embedded database runs again'));
    const second = await runLeadmarket({ ...env, PORT: '0', DEMO: 'off' }, 'serve');
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('Another server is running');
    const processTree = processTreeOf(server, dataDir);
    await supplier.close();
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    await eventually('all of its processes are gone', () => !processTree.some(isRunning));
  });
});
