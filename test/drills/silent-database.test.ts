// Tests the service's processes on a frozen machine or with a dead connection to the database: locks are released, and processes can be stopped.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { statement } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { killServers, launchServer, runLeadmarket, startServer } from '../support/server-process.ts';

const LOCK = 1_207_115_910;
const lock = statement('test.lock', `SELECT pg_advisory_xact_lock(${LOCK})`);
const isHeld = statement<void, { count: number }>(
  'test.is_held',
  `SELECT count(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = ${LOCK}`,
);

const SOURCE = pathToFileURL(join(import.meta.dirname, '../../src/platform/database/database.ts')).href;

/** Takes a lock like every transaction of the service, and freezes. */
const FREEZING_PROGRAM = `
import { openDatabase, statement } from ${JSON.stringify(SOURCE)};
const database = openDatabase({ connection: { connectionString: process.argv[2]! }, responseWithinMs: 20_000 });
const lock = statement('test.lock', 'SELECT pg_advisory_xact_lock(${LOCK})');
await database.tx(async (tx) => {
  await tx.query(lock);
  process.kill(process.pid, 'SIGSTOP');
});
`;

let home: TestDatabase;
const endings: Array<() => unknown> = [];
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(async () => {
  await killServers();
  for (const end of endings.toReversed()) await end();
  await home.drop();
});

async function proxyToHome(): Promise<{ proxy: DatabaseProxy; env: { DATABASE_URL: string } }> {
  const proxy = await startDatabaseProxy(home.url);
  endings.push(() => proxy.close());
  return { proxy, env: { DATABASE_URL: proxy.through(home.url) } };
}

describe.concurrent('A process that freezes in a transaction', () => {
  it('holds its locks for 15 seconds at most, and others continue', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'leadmarket-freezing-'));
    const program = join(folder, 'freeze.mts');
    writeFileSync(program, FREEZING_PROGRAM);
    const child = spawn(process.execPath, [program, home.url], { stdio: 'ignore' });
    endings.push(
      () => child.kill('SIGKILL'),
      () => rmSync(folder, { recursive: true }),
    );
    await eventually('it holds the lock', async () => {
      const [row] = await home.database.query(isHeld);
      return (row?.count ?? 0) > 0;
    });
    const outcome = await Promise.race([
      home.database.tx((tx) => tx.query(lock)).then(() => 'went on'),
      // Twice the promised time; the operating system and the database have no limit of their own below a minute.
      sleep(40_000, 'still waits'),
    ]);
    expect(outcome).toBe('went on');
  });
});

// Concurrently: a start takes a while on a busy machine, and the rest is waiting.
describe.concurrent('SIGTERM', () => {
  it.each(['api', 'worker'])('ends the role %s with exit code 0 when the database does not respond', async (role) => {
    const { proxy, env } = await proxyToHome();
    const server = await startServer(env, { argv: ['serve', '--role', role], readyWithinMs: 100_000 });
    proxy.silence({ old: true, new: true });
    server.signal('SIGTERM');
    expect(await server.ended, server.output()).toEqual({ code: 0, signal: null });
  });

  it('ends a worker with exit code 0 when its connections are dead while new ones work', async () => {
    const { proxy, env } = await proxyToHome();
    const server = await startServer(env, { argv: ['serve', '--role', 'worker'], readyWithinMs: 100_000 });
    proxy.silence({ old: true, new: false });
    server.signal('SIGTERM');
    expect(await server.ended, server.output()).toEqual({ code: 0, signal: null });
  });

  it('ends a server with exit code 0 while it waits for its database', async () => {
    const server = launchServer({ DATABASE_URL: 'postgresql://leads:s3cret@127.0.0.1:1/leads' });
    await eventually('it waits', () =>
      server.output().includes('The database at 127.0.0.1:1 (leads) cannot be reached'),
    );
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.output()).not.toContain('s3cret');
  });
});

describe.concurrent('A command', () => {
  it('logs in one line that its database is unreachable', async () => {
    const env = { DATABASE_URL: 'postgresql://leads:s3cret@127.0.0.1:1/leads' };
    const { code, stderr } = await runLeadmarket(env, 'ledger', 'check');
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('The database at 127.0.0.1:1 (leads) cannot be reached: the connection was refused.'),
    ]);
  });
});
