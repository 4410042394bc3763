// Tests a worker of an earlier release beside today's API on today's schema: an upgrade process by process, during which the service goes
// on (decision 027). The last release is tested every time; `npm run test:upgrades` tests all.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { ledgerFaults, leadsByStatus } from '../support/ledger-faults.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { startReceiver } from '../support/receiver.ts';
import { killServers, openMarketplace, startServer } from '../support/server-process.ts';
import { released } from './released.ts';

const PROJECT = join(import.meta.dirname, '../..');
/** The files that a worker needs; its libraries are today's. */
const PARTS = ['bin', 'src', 'migrations', 'package.json', 'examples'];

const endings: Array<() => unknown> = [];
afterAll(async () => {
  await killServers();
  for (const end of endings.toReversed()) await end();
});

/** The earlier program, in a separate folder. */
function checkOut(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), `leadmarket-${commit}-`));
  endings.push(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const known = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: PROJECT });
  if (known.status !== 0) {
    throw new Error(
      `commit ${commit} of test/drills/released.ts is not here: this test needs a clone with its whole history`,
    );
  }
  const archive = join(folder, 'program.tar');
  execFileSync('git', ['archive', '-o', archive, commit, ...PARTS], { cwd: PROJECT });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'bin/leadmarket');
}

// Sources without a history have no release to upgrade from; continuous integration always has it, and fails without it.
const hasHistory = existsSync(join(PROJECT, '.git')) || process.env['CI'] !== undefined;
const tried = process.env['UPGRADE_FROM'] === 'all' ? released : released.slice(-1);

describe.skipIf(!hasHistory)('A worker of an earlier release (skipped without the Git history)', () => {
  it.each(tried)(
    '%s routes and delivers leads from today’s API on a schema that was migrated meanwhile',
    async (commit) => {
      const program = checkOut(commit);
      const { database, url, drop } = await createTestDatabase({ isEmpty: true });
      const receiver = await startReceiver({ respond: () => ({ status: 200 }) });
      endings.push(drop, () => receiver.close());
      const env = { DATABASE_URL: url, WEBHOOK_ALLOW_TARGETS: receiver.origin };
      const worker = await startServer(env, { argv: ['serve', '--role', 'worker'], program });
      // The first of today's commands migrates, while the worker looks for work every second.
      const yaml = `
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - key: summit
    channels: [webhook]
    settings: { webhookUrl: "${receiver.origin}" }
    offers: [{ key: summit-all, eventType: Lead Sale, payout: 45.00 }]
`;
      const key = await openMarketplace(env, yaml, { keyFor: 'acme' });
      const api = await startServer(env, { argv: ['serve', '--role', 'api'] });
      const supplier = connectSupplier(api.url, { key, connections: 8 });
      const responses = await supplier.postAll(Array.from({ length: 200 }, (_, serial) => leadBody(serial)));
      await supplier.close();
      expect(responses.every(({ status }) => status === 202)).toBe(true);
      await eventually('everything is delivered', () => receiver.requests.length >= 200);
      await eventually('everything is written down', async () => (await ledgerFaults(database)).length === 0);
      expect(await leadsByStatus(database)).toEqual({ 'Lead Sale': 200 });
      expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(200);
      expect(
        worker
          .output()
          .split('\n')
          .filter((line) => /"level":"(?:error|fatal)"/.test(line)),
      ).toEqual([]);
      for (const server of [api, worker]) server.signal('SIGTERM');
      expect(await Promise.all([api.ended, worker.ended])).toEqual([
        { code: 0, signal: null },
        { code: 0, signal: null },
      ]);
    },
  );
});
