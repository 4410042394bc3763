// Tests `leadmarket doctor` on a real database, with real files and sockets.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../src/platform/clock.ts';
import { type Config, loadConfig } from '../../src/platform/config.ts';
import { examine, type Finding } from '../../src/platform/doctor.ts';
import { createLog } from '../../src/platform/log.ts';
import { createProcessCounts } from '../../src/platform/processes/process-counts.ts';
import { startProcessReport } from '../../src/platform/processes/report-process.ts';
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

async function look(env: Record<string, string>, clock = systemClock): Promise<Map<string, Finding>> {
  const findings = await examine(home.database, { config: configOf(env), clock });
  return new Map(findings.map((finding) => [finding.name, finding]));
}

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
      'google service account': null,
    });
  });

  it('reports a clock that is hours off', async () => {
    const early = { now: () => new Date(Date.now() - 2 * 3_600_000) };
    const { ok, detail } = (await look({}, early)).get('clock') as Finding;
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
    await writeFile(file, JSON.stringify({ client_email: 'sheets@example.com', private_key: 'x' }));
    expect((await look({ GOOGLE_SERVICE_ACCOUNT_FILE: file })).get('google service account')).toMatchObject({
      ok: false,
      detail: 'the file lacks token_uri',
    });
    await writeFile(
      file,
      JSON.stringify({ client_email: 'sheets@example.com', private_key: 'x', token_uri: 'https://x' }),
    );
    expect((await look({ GOOGLE_SERVICE_ACCOUNT_FILE: file })).get('google service account')).toMatchObject({
      ok: true,
      detail: 'sheets@example.com',
    });
  });
});
