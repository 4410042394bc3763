// Runs `leadmarket serve`: opens database, service and listeners, and closes them in reverse order (contract 8).
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openDemo } from '../demo/open-demo.ts';
import { demoObstacle } from '../demo/demo-terms.rules.ts';
import { REFUSED_BODIES_A_DAY } from '../leads/submission-limits.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { type ReachedDatabase, reachDatabase, replicaOf } from '../platform/database/connect.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { prepareDatabase } from '../platform/database/prepare-database.ts';
import { requireWall } from '../platform/database/tenant.ts';
import type { App } from '../platform/http/app.ts';
import { createLog } from '../platform/log.ts';
import { OutsideError } from '../platform/outside-error.ts';
import { openSecretKeys } from '../platform/secrets/secret-keys.ts';
import { readServiceAccount } from '../platform/outbound/sheets/service-account.ts';
import { type Role, type Runtime, startRuntime } from '../app/runtime.ts';
import { buildPages } from './build-pages.ts';
import { greeting } from './greeting.ts';
import { becomeSoleServer } from './sole-server.ts';

/** After this the process exits in any case: the limit is 30 s, after which an orchestrator would kill it. */
const DRAIN_WITHIN_MS = 28_000;

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Resolves after a signal, when everything is closed. Rejects when the server cannot start. */
export async function serve(config: Config, role: Role): Promise<void> {
  checkServiceAccount(config);
  const log = createLog(config.logLevel);
  if (process.geteuid?.() === 0) log.info('running as root: run the service as an ordinary user where you can');
  const stopped = firstSignal();
  // In parallel with opening the database, which takes longer.
  const pages = role === 'worker' ? null : buildPages(log, stopped);
  const reached = await reachDatabase(config, (message) => log.info(message));
  const database = openDatabase({
    connection: reached.connection,
    applicationName: `leadmarket ${role}`,
    // No statement of the service takes a second; after 20 s its server is lost.
    responseWithinMs: 20_000,
    onIdleError: (error) => log.warn({ err: error }, 'a connection to the database broke'),
  });
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
    database.expectEnd();
  });
  try {
    // Before migrating, because an older server may still use the schema.
    const sole = reached.isEmbedded ? await becomeSoleServer({ config, database, log }) : null;
    try {
      await run({ config, role, log, stopped, database, reached, displaced: sole?.displaced ?? null, pages });
    } finally {
      await sole?.release();
    }
  } catch (error) {
    // A database that becomes unresponsive during a requested stop is not an error of this process.
    if (!isStopped || !(error instanceof OutsideError)) throw error;
    log.warn({ err: error }, 'ended without the database');
  } finally {
    await database.close();
    await reached.release();
  }
}

type Running = {
  readonly config: Config;
  readonly role: Role;
  readonly log: Logger;
  readonly stopped: Promise<Signal>;
  readonly database: Database;
  readonly reached: ReachedDatabase;
  readonly displaced: Promise<OutsideError> | null;
  readonly pages: Promise<void> | null;
};

async function run({ config, role, log, stopped, database, reached, displaced, pages }: Running): Promise<void> {
  const clock = systemClock;
  const { connection } = reached;
  if (!(await prepareDatabase({ database, connection, log, now: () => clock.now(), stopped }))) return;
  // Before anything is written that a rejected start would leave behind.
  const wall = role === 'worker' ? null : await requireWall(database, { ...config, log });
  const port = role === 'worker' ? 0 : await portToUse(config);
  // The demo's receiver is reached on loopback, even if the service listens on another address.
  const origin = role === 'worker' ? null : `http://127.0.0.1:${port}`;
  const secretKeys = openSecretKeys(config);
  // Made on the first start, so that a backup of the folder has it before the first secret is set.
  if (secretKeys.file !== null) secretKeys.current();
  const demo = await openDemo(database, { config, origin, log }, clock.now());
  const runtime = await startRuntime({
    ...config,
    integrations: config,
    secretKeys,
    database,
    connection,
    replica: replicaOf(config),
    role,
    mayDemo: demoObstacle(config) === null,
    wall,
    hasStatusPort: config.status !== null,
    isAlone: reached.isEmbedded,
    clock,
    log,
    refusedBodiesADay: REFUSED_BODIES_A_DAY,
    withScheduledJobs: true,
  });
  let end: Signal | OutsideError | null = null;
  try {
    await pages;
    const statusUrl =
      config.status === null ? null : await listen(runtime.status, config.status, 'STATUS_PORT or STATUS_HOST');
    await listen(runtime.app, { host: config.host, port }, 'PORT or HOST');
    process.stdout.write(`${greeting({ host: config.host, port, role, demo, statusUrl }, clock.now())}\n`);
    end = await (displaced === null ? stopped : Promise.race([stopped, displaced]));
    if (end instanceof OutsideError) throw end;
  } finally {
    // Only SIGTERM waits for load balancers: a user at a terminal should not wait, and workers get no requests.
    const isAnnounced = end === 'SIGTERM' && runtime.app !== null;
    await drain(runtime, { log, announcedMs: isAnnounced ? config.drainSeconds * 1000 : 0 });
  }
}

/** Throws when the service account file is faulty; `loadConfig` checks only the variables themselves. */
function checkServiceAccount(config: Config): void {
  if (config.googleServiceAccountFile === null) return;
  const account = readServiceAccount(config);
  if (account.ok) return;
  throw new OutsideError('configuration_faulty', `GOOGLE_SERVICE_ACCOUNT_FILE: ${account.fault}`, { retryable: false });
}

/** Resolves to the address; null without an application. */
async function listen(app: App | null, at: { host: string; port: number }, variables: string): Promise<string | null> {
  try {
    return (await app?.listen(at)) ?? null;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    const why = code === 'EADDRINUSE' ? 'another program listens there' : code;
    throw new OutsideError('address_unavailable', `Cannot listen on ${at.host}:${at.port}: ${why}. Set ${variables}.`, {
      cause,
      retryable: false,
    });
  }
}

/** With PORT=0 any free port, chosen before listening because the demo has to know it. */
async function portToUse({ port, host }: Config): Promise<number> {
  if (port !== 0) return port;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, host, resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function drain(runtime: Runtime, { log, announcedMs }: { log: Logger; announcedMs: number }): Promise<void> {
  const deadline = setTimeout(() => {
    log.error('the drain took too long; the leases expire and other workers take over');
    process.exit(1);
  }, DRAIN_WITHIN_MS);
  await runtime.drain(announcedMs === 0 ? {} : { announced: sleep(announcedMs) });
  clearTimeout(deadline);
}

/** Ctrl-C at `npm start` arrives twice, from the terminal and through npm; a deliberate second one comes later than this. */
const SAME_REQUEST_MS = 1000;

/** Resolves with the first signal. A second one while draining ends the process at once. */
function firstSignal(): Promise<Signal> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const onSignal = (signal: Signal): void => {
      const at = performance.now();
      if (firstAt !== null && at - firstAt > SAME_REQUEST_MS) process.exit(130);
      firstAt ??= at;
      resolve(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => onSignal(signal));
  });
}
