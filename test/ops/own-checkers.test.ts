// Has the programs that read the files of ops/ check them: systemd, nginx, HAProxy, Patroni, etcd, Prometheus, psql and the shells.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { databaseEnv, etcdEnv, proxyEnv } from '../cluster/cluster.ts';
import { freePort } from '../faults/rounds/postgres.ts';
import { startHaproxy, startNginx, writeHaproxy, writeNginx } from '../release/proxies.ts';
import { createTestDatabase } from '../support/database.ts';
import { onServer } from '../support/server.ts';
import { callTool, lacks } from '../support/tool.ts';

const ROOT = join(import.meta.dirname, '../..');
const OPS = join(ROOT, 'ops');
const CLUSTER = join(OPS, 'cluster');
const PORTS = [3001, 3002];
/** Optional members that Patroni 3 reports as missing; with them it still ends with 1. */
const NOT_DEFINED = /^(?:bootstrap\.pg_hba|postgresql\.authentication\.rewind) +is not defined\.$/;

let folder: string;
let installed: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadmarket-ops-'));
  // The path of a checkout may have a space in it, and that of an installation has none.
  installed = join(folder, 'leadmarket');
  symlinkSync(ROOT, installed);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(lacks('systemd-analyze'))('systemd', () => {
  it.each(readdirSync(join(OPS, 'systemd')))('accepts ops/systemd/%s', async (unit) => {
    const copy = join(folder, unit.replace('@.', '@3001.'));
    // It looks for the program, which is here instead.
    writeFileSync(copy, readFileSync(join(OPS, 'systemd', unit), 'utf8').replaceAll('/opt/leadmarket', installed));
    expect(await callTool('systemd-analyze', ['verify', '--man=no', copy])).toEqual({ code: 0, output: '' });
  });
});

describe.skipIf(lacks('nginx'))('nginx', () => {
  it('accepts ops/nginx.conf', async () => {
    const { file, log } = await writeNginx(folder, PORTS);
    const { code, output } = await callTool('nginx', ['-t', '-q', '-c', file, '-e', log]);
    expect({ code, faults: output.split('\n').filter((line) => /\[(?:emerg|alert|crit|error)\]/.test(line)) }).toEqual({
      code: 0,
      faults: [],
    });
  });
});

describe.skipIf(lacks('haproxy'))('HAProxy', () => {
  it('accepts ops/haproxy.cfg', async () => {
    const { file } = await writeHaproxy(folder, PORTS);
    expect(await callTool('haproxy', ['-c', '-q', '-f', file])).toEqual({ code: 0, output: '' });
  });

  it('accepts ops/cluster/haproxy.cfg and the response in ops/cluster/503.http', async () => {
    const checked = await callTool('haproxy', ['-c', '-q', '-f', join(CLUSTER, 'haproxy.cfg')], proxyEnv());
    expect(checked).toEqual({ code: 0, output: '' });
  });
});

/** The status of a request through a proxy under a Host. */
const statusUnder = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/healthz`, { headers: { host }, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject).end();
  });

describe.each([
  ['nginx', startNginx],
  ['haproxy', startHaproxy],
] as const)('%s', (program, start) => {
  it.skipIf(lacks(program))('passes requests under the name of the service, and none under another', async () => {
    const service = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const proxy = await start(mkdtempSync(join(folder, program)), [port, port]);
    try {
      expect(await statusUnder(proxy.url, new URL(proxy.url).host)).toBe(200);
      for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost']) {
        expect([host, await statusUnder(proxy.url, host)]).toEqual([host, 421]);
      }
    } finally {
      await proxy.stop();
      service.close();
    }
  });
});

const NODE = { name: 'db1', address: '127.0.0.1' };
const PASSWORDS = { superuser: 'one', replication: 'two', service: 'three' };

describe('The environment of a node of the cluster', () => {
  it('has the names of ops/cluster/patroni.env.example', () => {
    const text = readFileSync(join(CLUSTER, 'patroni.env.example'), 'utf8');
    const names = [...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(databaseEnv(NODE, folder, PASSWORDS)));
  });
});

describe.skipIf(lacks('patroni'))('Patroni', () => {
  it('accepts ops/cluster/patroni.yaml', async () => {
    // It tries to listen there, and to find PostgreSQL's programs.
    const [rest, server] = [await freePort(), await freePort()];
    const { code, output } = await callTool('patroni', ['--validate-config', join(CLUSTER, 'patroni.yaml')], {
      ...databaseEnv(NODE, folder, PASSWORDS),
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${rest}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `10.0.0.1:${rest}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${server}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `10.0.0.1:${server}`,
    });
    const complaints = output.split('\n').filter((line) => line !== '' && !NOT_DEFINED.test(line));
    expect({ complaints, isKnownCode: code === 0 || code === 1 }).toEqual({ complaints: [], isKnownCode: true });
  });
});

describe.skipIf(lacks('etcd'))('etcd', () => {
  it('has an option for each variable of ops/cluster/etcd.env', async () => {
    const { output } = await callTool('etcd', ['--help']);
    const names = Object.keys(etcdEnv({ name: 'etcd1', address: '127.0.0.1' }, folder));
    const options = names.map((name) => `--${name.slice('ETCD_'.length).toLowerCase().replaceAll('_', '-')}`);
    expect(options).toContain('--heartbeat-interval');
    expect(options.filter((option) => !output.includes(`${option} `))).toEqual([]);
  });
});

describe.skipIf(lacks('promtool'))('Prometheus', () => {
  it('accepts ops/alerts.yaml', async () => {
    const { code, output } = await callTool('promtool', ['check', 'rules', join(OPS, 'alerts.yaml')]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') as string });
  });
});

describe.skipIf(lacks('psql'))('psql', () => {
  it('runs ops/roles.sql, and once more', async () => {
    const { database, url, drop } = await createTestDatabase();
    const service = `service_${randomBytes(4).toString('hex')}`;
    try {
      await onServer(url, (client) => client.query(`CREATE ROLE ${service} LOGIN`));
      // As often as an operator wants.
      for (let turn = 0; turn < 2; turn += 1) {
        const args = [url, '-q', '-v', 'ON_ERROR_STOP=1', '-v', `service=${service}`, '-f', join(OPS, 'roles.sql')];
        expect(await callTool('psql', args)).toMatchObject({ code: 0 });
      }
      const member = await onServer(url, (client) =>
        client.query(`SELECT pg_has_role('${service}', 'leadmarket_buyer', 'member') AS is`),
      );
      expect(member.rows).toEqual([{ is: true }]);
      expect(database).toBeDefined();
    } finally {
      await onServer(url, (client) => client.query(`DROP ROLE IF EXISTS ${service}`));
      await drop();
    }
  });
});

const SCRIPTS = [
  ...['.ci/run', '.githooks/pre-commit'],
  ...readdirSync(OPS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sh'))
    .map((path) => `ops/${path}`),
  ...readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sh'))
    .map((path) => `test/${path}`),
];

describe('The shell', () => {
  it.each(SCRIPTS)('reads %s', async (script) => {
    const shell = /^#!\S*[/ ](sh|bash)$/m.exec(readFileSync(join(ROOT, script), 'utf8'))?.[1] ?? '';
    expect(await callTool(shell, ['-n', join(ROOT, script)])).toEqual({ code: 0, output: '' });
  });

  it.skipIf(lacks('shellcheck'))('scripts have nothing that ShellCheck warns of', async () => {
    const files = SCRIPTS.map((script) => join(ROOT, script));
    expect(await callTool('shellcheck', ['--severity=warning', ...files])).toEqual({ code: 0, output: '' });
  });
});
