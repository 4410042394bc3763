// Tests `leadmarket doctor` on a real database, with real files and sockets.
import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { canonicalTimeZone } from '../../src/base/time-zone.rules.ts';
import { examineTimeZones } from '../../src/buyers/examine-time-zones.ts';
import { nextStep } from '../../src/entry/next-step.ts';
import { examineFonts } from '../../src/invoices/examine-fonts.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Config, loadConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { serverFacts } from '../../src/platform/doctor.sql.ts';
import { examine } from '../../src/platform/doctor.ts';
import { registerDoctorCommand } from '../../src/platform/doctor.cli.ts';
import type { Examination, Finding } from '../../src/platform/finding.ts';
import { createLog } from '../../src/platform/log.ts';
import { createProcessCounts } from '../../src/platform/processes/process-counts.ts';
import { startProcessReport } from '../../src/platform/processes/report-process.ts';
import { unknownTimeZones } from '../../src/platform/time-zones.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let home: TestDatabase;
let folder: string;

beforeAll(async () => {
  home = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'leadmarket-doctor-'));
});
afterAll(async () => {
  await home.drop();
  await rm(folder, { recursive: true });
});

function configOf(env: Record<string, string>): Config {
  const outcome = loadConfig(env);
  if (!outcome.ok) throw new Error(outcome.faults.join('\n'));
  return outcome.config;
}

type Look = {
  readonly clock?: typeof systemClock;
  readonly further?: readonly Examination[];
  readonly reachWithinMs?: number;
};

async function look(env: Record<string, string>, options: Look = {}): Promise<Map<string, Finding>> {
  const findings = await examine(home.database, { config: configOf(env), clock: systemClock, ...options });
  return new Map(findings.map((finding) => [finding.name, finding]));
}

/** The server's origin without its scheme. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** All services outside at one address. */
async function outside(host: string): Promise<Record<string, string>> {
  const file = join(folder, `account-${host.replace(':', '-')}.json`);
  await writeFile(file, JSON.stringify({ ...account, token_uri: `http://${host}/token` }));
  return {
    SMTP_URL: `smtp://user:secret@${host}`,
    SMS_API_URL: `http://${host}`,
    SMS_ACCOUNT: 'AC1',
    SMS_TOKEN: 'secret',
    GOOGLE_SERVICE_ACCOUNT_FILE: file,
    SHEETS_API_URL: `http://${host}`,
    OIDC_ISSUER: `http://${host}`,
    OIDC_CLIENT_ID: 'leadmarket',
    OIDC_CLIENT_SECRET: 'secret',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${host}`,
  };
}

const OUTSIDE = ['smtp', 'text messages', 'google tokens', 'google sheets', 'single sign-on', 'traces'] as const;
const account = {
  client_email: 'sheets@example.com',
  private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
};

describe('The doctor', () => {
  it('reports a healthy database as ok, and nothing about services that are not set up', async () => {
    const found = await look({});
    const states = Object.fromEntries([...found].map(([name, { ok }]) => [name, ok]));
    expect(states).toMatchObject({
      database: true,
      schema: true,
      clock: true,
      'clocks of servers': null,
      proxy: null,
      smtp: null,
      'text messages': null,
      'google service account': null,
      'google tokens': null,
      'google sheets': null,
      'single sign-on': null,
      traces: null,
    });
    expect(found.get('database')?.detail).toMatch(/^PostgreSQL \d+\.\d+, maintained until /);
  });

  it('reports a clock that is hours off', async () => {
    const early = { now: () => new Date(Date.now() - 2 * 3_600_000) };
    const { ok, detail } = (await look({}, { clock: early })).get('clock') as Finding;
    expect(ok).toBe(false);
    // The two clocks tick while they are compared, a little more or less than two hours apart.
    expect(detail).toMatch(/^7[12]\d{5} ms from the database's$/);
  });

  it('reports the clock differences and the untrusted proxy that running servers found', async () => {
    const written: Array<Record<string, unknown>> = [];
    const ahead = { now: () => new Date(Date.now() + 300_000) };
    const report = await startProcessReport({
      database: home.database,
      clock: ahead,
      machineClock: ahead,
      role: 'worker',
      counts: createProcessCounts(systemClock),
      log: createLog('info', { write: (line) => void written.push(JSON.parse(line) as Record<string, unknown>) }),
      onFault: (error) => {
        throw error;
      },
    });
    const found = await look({});
    expect(found.get('clocks of servers')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^one \(worker\) is (?:299|300)\d{3} ms ahead of the database's$/) as string,
    });
    expect(found.get('clock')?.ok).toBe(true);
    expect(report.clockAheadMs()).toBeGreaterThan(290_000);
    expect(written).toMatchObject([{ level: 'warn', msg: expect.stringContaining('clock') as string }]);
    report.metUntrustedProxy('10.0.0.7');
    const proxy = await eventually('the proxy is reported', async () => {
      const finding = (await look({ TRUST_PROXY: '10.0.0.8' })).get('proxy');
      return finding?.ok === false ? finding : null;
    });
    expect(proxy.detail).toContain('10.0.0.7 sends X-Forwarded-For');
    await report.stop();
    expect((await look({ TRUST_PROXY: '10.0.0.8' })).get('proxy')).toMatchObject({ ok: true });
    // Once per change, however often the clocks are compared.
    expect(written).toHaveLength(1);
  });

  it('distinguishes a mail server from another server and from none', async () => {
    const server = createServer((socket) => socket.end(socket.localPort === port ? greeting : ''));
    let greeting = '220 mail.example.com ESMTP\r\n';
    let port = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
    const SMTP_URL = `smtp://user:secret@127.0.0.1:${port}`;
    expect((await look({ SMTP_URL })).get('smtp')).toEqual({
      name: 'smtp',
      ok: true,
      detail: 'greets as mail.example.com ESMTP',
    });
    greeting = 'HTTP/1.1 400 Bad Request\r\n';
    expect((await look({ SMTP_URL })).get('smtp')).toMatchObject({
      ok: false,
      detail: 'greets with HTTP/1.1 400 Bad Request',
    });
    await new Promise((resolve) => server.close(resolve));
    const gone = (await look({ SMTP_URL })).get('smtp');
    expect(gone?.ok).toBe(false);
    expect(gone?.detail).not.toContain('secret');
  });

  it('reads the service account and names missing members', async () => {
    const file = join(folder, 'account.json');
    const found = async (members: object): Promise<Finding | undefined> => {
      await writeFile(file, JSON.stringify(members));
      // The port of TCP's multiplexer, where nothing listens: the file alone is looked at here.
      return (await look({ GOOGLE_SERVICE_ACCOUNT_FILE: file, SHEETS_API_URL: 'http://127.0.0.1:1' })).get(
        'google service account',
      );
    };
    expect(await found(account)).toMatchObject({
      ok: false,
      detail: 'Google Sheets is not set up: its service account file lacks token_uri.',
    });
    expect(await found({ ...account, private_key: 'x', token_uri: 'http://127.0.0.1:1/token' })).toMatchObject({
      ok: false,
      detail: expect.stringContaining('private_key is not an RSA key') as string,
    });
    expect(await found({ ...account, token_uri: 'http://127.0.0.1:1/token' })).toMatchObject({
      ok: true,
      detail: 'sheets@example.com',
    });
  });
});

describe('Services outside', () => {
  it('at a closed port are each reported, without a credential', async () => {
    const found = await look(await outside('127.0.0.1:1'));
    for (const name of OUTSIDE) {
      expect(found.get(name)).toMatchObject({ name, ok: false });
      expect(found.get(name)?.detail).not.toMatch(/secret|AC1/);
    }
    expect(found.get('text messages')?.detail).toMatch(/^127\.0\.0\.1:1 does not respond: /);
  });

  it('that accept connections and say nothing are each reported at the limit', async () => {
    // Reading notices the end of each connection.
    const silent = createServer((socket) => socket.resume());
    const host = await listen(silent);
    const found = await look(await outside(host), { reachWithinMs: 150 });
    expect(OUTSIDE.map((name) => [name, found.get(name)?.ok])).toEqual(OUTSIDE.map((name) => [name, false]));
    expect(found.get('smtp')?.detail).toBe('no greeting within 0.15 seconds');
    // It closes only when every check has closed its connection.
    await new Promise((resolve) => silent.close(resolve));
  });

  it('that respond are ok, whatever they think of a request without a credential', async () => {
    const paths: string[] = [];
    let status = 404;
    const server = createHttpServer(({ url = '', headers }, response) => {
      paths.push(url);
      expect(headers.authorization).toBeUndefined();
      const origin = `http://${headers.host}`;
      const isDiscovery = url === '/.well-known/openid-configuration';
      const endpoints = {
        authorization_endpoint: `${origin}/in`,
        token_endpoint: `${origin}/t`,
        jwks_uri: `${origin}/k`,
      };
      response.writeHead(isDiscovery ? 200 : status, { 'content-type': 'application/json' });
      response.end(isDiscovery ? JSON.stringify({ issuer: origin, ...endpoints }) : '{}');
    });
    const host = await listen(server);
    const { SMTP_URL: _smtp, ...web } = await outside(host);
    const found = await look(web);
    for (const name of OUTSIDE.slice(1)) expect(found.get(name)).toMatchObject({ name, ok: true });
    expect(found.get('single sign-on')?.detail).toBe(`browsers sign in at ${host}`);
    expect(paths.toSorted()).toEqual(['/', '/', '/.well-known/openid-configuration', '/token', '/v1/traces']);
    status = 503;
    expect((await look(web)).get('traces')).toMatchObject({ ok: false, detail: `${host} responds with HTTP 503` });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('What is configured', () => {
  const zones = async (): Promise<Finding | undefined> =>
    (await look({}, { further: [examineTimeZones] })).get('time zones');

  async function apply(yaml: string): Promise<void> {
    const parsed = parseFile(yaml, { allowTargets: [] });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const options = { dryRun: false, prune: false, actor: commandLineActor };
    await home.database.tx((tx) => applyFile(tx, parsed.file, options, new Date()));
  }

  it('names the accounts in a time zone that the database or Node does not know', async () => {
    await apply(
      'suppliers: [{ key: acme, name: Acme }]\npartners: [{ key: summit, name: Summit, timeZone: America/New_York }, { key: rival, name: Rival }]\n',
    );
    expect(await zones()).toMatchObject({ ok: true, detail: '2 in use, known to the database and to Node' });
    // PostgreSQL takes an offset as well, but with the sign the other way round.
    await home.database.pool.query(`UPDATE buyer SET time_zone = '+05:00' WHERE buyer_key = 'summit'`);
    await home.database.pool.query(`UPDATE supplier SET time_zone = 'Mars/Olympus' WHERE supplier_key = 'acme'`);
    const found = await zones();
    expect(found?.ok).toBe(false);
    expect(found?.detail).toContain('the database does not know +05:00 (partner summit)');
    expect(found?.detail).toContain('the database does not know Mars/Olympus (supplier acme)');
    expect(found?.detail).toContain('Node does not know Mars/Olympus (supplier acme)');
    await home.database.pool.query(
      `INSERT INTO notice_setting (owner_kind, owner_key, settings, updated_at) VALUES ('buyer', 'rival', '{"timeZone": "Mars/Rover"}', now())`,
    );
    expect((await zones())?.detail).toContain('Node does not know Mars/Rover (notices of partner rival)');
    await home.database.pool.query('DELETE FROM notice_setting');
    await home.database.pool.query(`UPDATE buyer SET time_zone = 'UTC'`);
    await home.database.pool.query(`UPDATE supplier SET time_zone = 'UTC'`);
  });

  it('finds the canonical name of every time zone in the database', async () => {
    const names = Intl.supportedValuesOf('timeZone').map((name) => canonicalTimeZone(name) ?? name);
    // Newer than some databases.
    const young = ['America/Ciudad_Juarez', 'America/Coyhaique', 'Europe/Kyiv', 'Pacific/Kanton'];
    expect((await unknownTimeZones(home.database, names)).filter((name) => !young.includes(name))).toEqual([]);
  });

  it('warns of names that PDFs cannot show', async () => {
    const fonts = async (): Promise<Finding | undefined> => (await look({}, { further: [examineFonts] })).get('fonts');
    expect(await fonts()).toMatchObject({
      ok: true,
      detail: expect.stringContaining('with all characters of names and addresses') as string,
    });
    await apply('partners: [{ key: summit, name: 李氏 🚀 }]\n');
    expect(await fonts()).toMatchObject({
      ok: true,
      warning: true,
      detail: expect.stringContaining('PDFs cannot show all characters of partner summit ("李氏 🚀": 🚀)') as string,
    });
  });

  it('is well with a private data folder, and to look at with one that others may enter', async () => {
    const state = async (mode: number): Promise<Finding | undefined> => {
      await chmod(folder, mode);
      return (await look({ DATA_DIR: folder })).get('data folder');
    };
    expect((await state(0o700))?.detail).toMatch(/GB free$/);
    expect(await state(0o755)).toMatchObject({
      warning: true,
      detail: expect.stringContaining(`chmod 700 ${folder}`) as string,
    });
    await chmod(folder, 0o700);
    expect((await look({ DATABASE_URL: 'postgres://db.example.com/leads' })).get('data folder')).toMatchObject({
      ok: null,
    });
    expect((await look({ DATA_DIR: join(folder, 'none') })).get('data folder')).toMatchObject({ ok: false });
  });
});

describe('leadmarket doctor', () => {
  const run = (further: readonly Examination[], ...argv: string[]) =>
    captureCommand(['doctor', ...argv], (program, out) =>
      registerDoctorCommand(program.command('doctor'), {
        ...contextOf(durable(), systemClock, out),
        config: () => configOf({ DATA_DIR: folder }),
        further,
        nextStep: (database, config) => nextStep(database, config, new Date()),
      }),
    );
  // The server of the tests writes without fsync, which doctor rightly calls wrong.
  const durable = (): Database => {
    const query: Database['query'] = async (wanted, ...params) => {
      const rows = await home.database.query(wanted, ...params);
      return wanted.name === serverFacts.name
        ? rows.map((row) => ({ ...row, fsync: 'on', synchronousCommit: 'on' }))
        : rows;
    };
    return { ...home.database, query };
  };
  const named =
    (finding: Finding): Examination =>
    () =>
      Promise.resolve(finding);

  it('exits with 0 when nothing is wrong, shows what to look at, and says what to do next', async () => {
    const shown = await run([named({ name: 'cellar', ok: true, detail: 'damp', warning: true })]);
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toMatch(/│ cellar +│ look +│ damp +│/);
    expect(shown.stdout).toMatch(
      /Nothing is wrong, \d to look at\. Next: add yourself with "leadmarket operator add NAME"/,
    );
    const { json } = await run([], '--json');
    expect(json).toMatchObject({ ok: true, next: expect.stringContaining('operator add NAME') as string });
  });

  it('exits with 1 when something is wrong', async () => {
    const shown = await run([named({ name: 'cellar', ok: false, detail: 'flooded' })]);
    expect(shown.exitCode).toBe(1);
    expect(shown.stdout).toMatch(/│ cellar +│ WRONG +│ flooded +│/);
    expect(shown.stdout).toContain('Mend what is WRONG, and run it again.');
    expect((await run([named({ name: 'cellar', ok: false, detail: '' })], '--json')).json).toMatchObject({
      next: null,
    });
  });
});
