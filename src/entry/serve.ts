// `leadmarket serve`: configuration, database, service, listener, and the way back in reverse order (contract 8).
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openDemo } from '../demo/open-demo.ts';
import { demoObstacle } from '../demo/demo-terms.rules.ts';
import { REFUSED_BODIES_A_DAY } from '../leads/submission-limits.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { type ReachedDatabase, reachDatabase } from '../platform/database/connect.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { prepareDatabase } from '../platform/database/prepare-database.ts';
import { requireWall } from '../platform/database/tenant.ts';
import type { App } from '../platform/http/app.ts';
import { createLog } from '../platform/log.ts';
import { OutsideError } from '../platform/outside-error.ts';
import { readServiceAccount } from '../platform/outbound/sheets/service-account.ts';
import { type Role, type Runtime, startRuntime } from '../app/runtime.ts';
import { buildPages } from './build-pages.ts';
import { greeting } from './greeting.ts';
import { becomeSoleServer } from './sole-server.ts';

/** Past this the process ends anyway: 30 s are promised, and an orchestrator would kill it then. */
const DRAIN_WITHIN_MS = 28_000;

/** What ended it. */
type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Resolves when a signal has ended it and everything is closed. Rejects where it cannot start. */
export async function serve(config: Config, role: Role): Promise<void> {
  refuseFaultyFiles(config);
  const log = createLog(config.logLevel);
  if (process.geteuid?.() === 0) log.info('running as root: run the service as an ordinary user where you can');
  const stopped = firstSignal();
  // Beside the database, which takes longer.
  const pages = role === 'worker' ? null : buildPages(log, stopped);
  const reached = await reachDatabase(config, (message) => log.info(message));
  const database = openDatabase({
    connection: reached.connection,
    applicationName: `leadmarket ${role}`,
    // No statement of the service takes a second; one that takes so long has lost its server.
    responseWithinMs: 20_000,
    onIdleError: (error) => log.warn({ err: error }, 'a connection to the database broke'),
  });
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
    database.expectEnd();
  });
  try {
    // Before the schema is touched, which may be that of an older server.
    const sole = reached.isEmbedded ? await becomeSoleServer({ config, database, log }) : null;
    try {
      await run({ config, role, log, stopped, database, reached, displaced: sole?.displaced ?? null, pages });
    } finally {
      await sole?.release();
    }
  } catch (error) {
    // A database that falls silent while the process starts or ends is no fault of who asked it to end.
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
  // Before anything is written that a refused start would leave behind.
  const wall = role === 'worker' ? null : await requireWall(database, { ...config, log });
  const port = role === 'worker' ? 0 : await portToUse(config);
  // The demo's receiver is for this machine, whatever address the service listens on.
  const origin = role === 'worker' ? null : `http://127.0.0.1:${port}`;
  const demo = await openDemo(database, { config, origin, log }, clock.now());
  const runtime = await startRuntime({
    ...config,
    integrations: config,
    database,
    connection,
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
    // An orchestrator's load balancer has to notice first. A person at a terminal waits for the end, and no request goes to a worker.
    const isAnnounced = end === 'SIGTERM' && runtime.app !== null;
    await drain(runtime, { log, announcedMs: isAnnounced ? config.drainSeconds * 1000 : 0 });
  }
}

/** Beside the faults of the variables themselves, of which the configuration tells. */
function refuseFaultyFiles(config: Config): void {
  if (config.googleServiceAccountFile === null) return;
  const account = readServiceAccount(config);
  if (account.ok) return;
  throw new OutsideError('configuration_faulty', `GOOGLE_SERVICE_ACCOUNT_FILE: ${account.fault}`, { retryable: false });
}

/** Answers where it listens. */
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

/** With PORT=0 any free port; the demo has to know it before the listener does. */
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
    log.error('the drain took too long; leases end by themselves and other workers go on');
    process.exit(1);
  }, DRAIN_WITHIN_MS);
  await runtime.drain(announcedMs === 0 ? {} : { announced: sleep(announcedMs) });
  clearTimeout(deadline);
}

/** Ctrl-C at `npm start` comes twice, from the terminal and passed on by npm; nobody has lost patience within a second. */
const SAME_REQUEST_MS = 1000;

/** A second signal while draining ends the process at once: whoever sends it wants just that. */
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
