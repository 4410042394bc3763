// Makes a release archive in seconds, without compression, and starts the service from it: it takes a lead.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { leadBody } from '../support/leads.ts';
import { isDrawn } from '../support/drawn.ts';
import { endScripts, runScript } from '../support/npm-script.ts';
import { killServers, startServer } from '../support/server-process.ts';
import { callTool, lacks } from '../support/tool.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The release is made of a commit, for Linux. */
const canMake = process.platform === 'linux' && existsSync(join(ROOT, '.git'));
const FILES = ['ops/release/', 'web/build.ts', 'web/vite.config.ts', 'web/presets-plugin.ts', 'package.json', 'bin/'];

/** On disk, as an archive and what is in it would fill the memory in which other files of tests are. */
const place = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(place, 'leadmarket-release-'));
  // The database may run as another user, who needs access to this folder.
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  await killServers();
  endScripts();
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

describe.skipIf(!canMake)('npm run release (skipped without Git or Linux)', () => {
  it.skipIf(!isDrawn('scripts/release', 2, ...FILES))('makes an archive that takes a lead', async () => {
    const made = await runScript('release', ['--quick', '--arch', process.arch, '--out', folder], { TMPDIR: folder });
    expect(made).toMatchObject({ code: 0 });
    const archive = /^\w+ {2}(\S+)\.tar\.gz$/m.exec(made.output)?.[1] ?? '';
    execFileSync('tar', ['--extract', '--gzip', '--file', join(folder, `${archive}.tar.gz`), '--directory', folder]);
    const home = join(folder, archive.slice(0, archive.indexOf('-linux-')));
    const program = join(home, 'bin/leadmarket');
    // Nothing of this checkout is on the path.
    const env = { DATA_DIR: join(folder, 'data'), PATH: '/usr/bin:/bin', TMPDIR: folder };
    const command = async (...argv: readonly string[]): Promise<string> => {
      const { code, output } = await callTool(program, argv, { ...env, HOME: folder });
      expect({ code, output }).toMatchObject({ code: 0 });
      return output;
    };
    await command('apply', join(home, 'examples/marketplace.yaml'));
    const [supplier = ''] = JSON.parse(await command('supplier', 'list', '--json')).data.map(
      ({ key }: { key: string }) => key,
    );
    const { key } = JSON.parse(await command('key', 'issue', '--supplier', supplier, '--json')) as { key: string };
    const server = await startServer(env, { program });
    const response = await fetch(`${server.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(leadBody(1)),
    });
    expect(response.status).toBe(202);
    for (const path of ['/', '/console', '/docs/', '/openapi.json']) {
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
    }
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});

describe.skipIf(!canMake || process.getuid?.() !== 0 || lacks('busybox', 'unshare'))('npm run test:release', () => {
  it.skipIf(!isDrawn('scripts/test:release', 4, 'test/release/'))('runs an archive in an empty root', async () => {
    const { code, output } = await runScript('test:release', ['--quick', '--only', 'root', '--room', '1000'], {
      TMPDIR: folder,
    });
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Everything holds.') as string });
  });
});
