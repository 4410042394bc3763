// Runs the shell scripts of ops/ as an operator's machine does: the nightly backup, the health check and the installation of the cluster.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../faults/rounds/postgres.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killServers, startServer } from '../support/server-process.ts';
import { callTool } from '../support/tool.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSTALL = join(ROOT, 'ops/cluster/install.sh');

let folder: string;
let testDatabase: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadmarket-scripts-'));
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await killServers();
  await testDatabase.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform !== 'linux')('ops/backup-nightly.sh', () => {
  it('writes a backup at its time, keeps the newest, and ends when it is asked to', async () => {
    const [programs, backups] = [join(folder, 'bin'), join(folder, 'backups')];
    for (const path of [programs, backups]) mkdirSync(path);
    for (const day of ['2020-01-01', '2020-01-02']) writeFileSync(join(backups, `leads-${day}T0215.backup`), 'older');
    // The first night is over at once, the second one never.
    const slept = join(folder, 'slept');
    writeFileSync(
      join(programs, 'sleep'),
      `#!/bin/sh\nif mkdir "${slept}" 2>/dev/null; then echo "$1" > "${slept}/seconds"; else exec /bin/sleep 1000; fi\n`,
    );
    chmodSync(join(programs, 'sleep'), 0o755);
    const nightly = spawn('sh', [join(ROOT, 'ops/backup-nightly.sh'), backups, '02:15', '2'], {
      env: { PATH: `${programs}:${process.env['PATH']}`, DATABASE_URL: testDatabase.url },
      stdio: ['ignore', 'pipe', 'pipe'],
      // So that its sleep can be ended with it.
      detached: true,
    });
    let said = '';
    for (const stream of [nightly.stdout, nightly.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    const ended = new Promise((resolve) => nightly.once('close', (code) => resolve(code)));
    try {
      const kept = await eventually('the oldest backup is removed', () => {
        const names = readdirSync(backups).toSorted();
        return names.includes('leads-2020-01-01T0215.backup') ? null : names;
      });
      expect(kept).toHaveLength(2);
      expect(kept[0]).toBe('leads-2020-01-02T0215.backup');
      expect(readFileSync(join(backups, kept[1] ?? '')).length).toBeGreaterThan(100);
      expect(said).toMatch(/^\S+\.backup: \d+ rows of \d+ tables, \d+ MB\.$/m);
      const seconds = Number(readFileSync(join(slept, 'seconds'), 'utf8'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(86_400);
    } finally {
      process.kill(-(nightly.pid ?? 0), 'SIGTERM');
    }
    expect(await ended).toBe(0);
  });
});

describe.skipIf(process.platform !== 'linux')('ops/container-health.sh', () => {
  it('succeeds while the process responds at its status port, and fails afterwards', async () => {
    const script = join(folder, 'container-health.sh');
    const text = readFileSync(join(ROOT, 'ops/container-health.sh'), 'utf8');
    expect(text).toContain('/opt/leadmarket/node_modules/node-linux-*/bin/node');
    // The path of a checkout may have a space in it, and that of an installation has none.
    const installed = join(folder, 'leadmarket');
    symlinkSync(ROOT, installed);
    writeFileSync(script, text.replaceAll('/opt/leadmarket', installed));
    const port = String(await freePort());
    const server = await startServer(
      { DATABASE_URL: testDatabase.url, STATUS_PORT: port },
      { argv: ['serve', '--role', 'worker'] },
    );
    expect(await callTool('sh', [script], { STATUS_PORT: port })).toEqual({ code: 0, output: '' });
    server.signal('SIGTERM');
    await server.ended;
    expect(await callTool('sh', [script], { STATUS_PORT: port })).toEqual({ code: 1, output: '' });
  });
});

/** Where it would install something only continuous integration lets it. */
function mayInstall(): boolean {
  const isRoot = process.getuid?.() === 0;
  const packages = /^packages='(.*)'$/m.exec(readFileSync(INSTALL, 'utf8'))?.[1]?.split(' ') ?? [];
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Status}\n', ...packages], { encoding: 'utf8' });
  const isWhole =
    (stdout ?? '').split('\n').filter((status) => status.endsWith(' installed')).length === packages.length;
  if (isRoot && (isWhole || process.env['CI'])) return true;
  console.log('ops/cluster/install.sh is not run: it needs root, and its packages or CI, which lets it install them.');
  return false;
}

describe('ops/cluster/install.sh', () => {
  it.skipIf(!mayInstall())('installs what is missing, and starts nothing', async () => {
    const { code, output } = await callTool('sh', [INSTALL]);
    expect({ code, last: output.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: 'Installed. Nothing was started.',
    });
  });
});
