// Checks everything outside the service that it depends on: database, clocks, proxy, mail server, credentials (contract 7.2).
import { readFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { checkMigrated } from './database/migrate.ts';
import type { Database } from './database/database.ts';
import { replicaOf } from './database/connect.ts';
import { examineReplica } from './database/replica.ts';
import { readWall } from './database/tenant.ts';
import { areClocksApart, compareClocks } from './processes/compare-clocks.ts';
import { readProcesses } from './processes/read-processes.ts';
import { serverFacts } from './doctor.sql.ts';

/** `ok` is null when the thing is not set up. */
export type Finding = { readonly name: string; readonly ok: boolean | null; readonly detail: string };

/** A check that a slice adds. */
export type Examination = (database: Database, config: Config) => Promise<Finding>;

const OLDEST_VERSION = 150_000;
const SMTP_WITHIN_MS = 5000;

export async function examine(
  database: Database,
  { config, clock, further = [] }: { config: Config; clock: Clock; further?: readonly Examination[] },
): Promise<Finding[]> {
  return [
    ...(await examineDatabase(database, config)),
    ...(await examineProcesses(database, { config, clock })),
    ...(await Promise.all(further.map((examineMore) => examineMore(database, config)))),
    await finding('smtp', () => (config.smtpUrl === null ? null : readGreeting(config.smtpUrl))),
    await finding('google service account', () =>
      config.googleServiceAccountFile === null ? null : readAccountEmail(config.googleServiceAccountFile),
    ),
  ];
}

async function examineDatabase(database: Database, config: Config): Promise<Finding[]> {
  const [facts] = await database.query(serverFacts);
  if (facts === undefined) return [{ name: 'database', ok: false, detail: 'does not respond' }];
  return [
    {
      name: 'database',
      ok: facts.version >= OLDEST_VERSION,
      detail: `PostgreSQL ${Math.trunc(facts.version / 10_000)}; 15 or newer is needed`,
    },
    await finding('schema', async () => {
      await checkMigrated(database);
      return 'up to date';
    }),
    {
      name: 'durability',
      ok: facts.synchronousCommit !== 'off' && facts.fsync === 'on',
      detail: `synchronous_commit ${facts.synchronousCommit}, fsync ${facts.fsync}`,
    },
    await examineWall(database, config),
    await finding('replica', () => {
      const replica = replicaOf(config);
      return replica === null ? null : examineReplica(database, replica);
    }),
  ];
}

/** Checks this machine's clock, and the clocks and proxies that the running servers reported. */
async function examineProcesses(
  database: Database,
  { config, clock }: { config: Config; clock: Clock },
): Promise<Finding[]> {
  const aheadMs = await compareClocks(database, clock);
  const processes = (await database.tx((tx) => readProcesses(tx, clock.now()))).filter(({ isLost }) => !isLost);
  const apart = processes.filter(({ clockAheadMs }) => clockAheadMs !== null);
  const proxies = new Set(processes.map(({ untrustedProxy }) => untrustedProxy).filter((address) => address !== null));
  return [
    { name: 'clock', ok: !areClocksApart(aheadMs), detail: `${Math.abs(aheadMs)} ms from the database's` },
    {
      name: 'clocks of servers',
      ok: processes.length === 0 ? null : apart.length === 0,
      detail:
        processes.length === 0
          ? 'none is running'
          : apart.length === 0
            ? `${processes.length} running, all within seconds of the database's`
            : apart
                .map(({ role, clockAheadMs }) => `one (${role}) is ${clockAheadMs} ms ahead of the database's`)
                .join(', '),
    },
    {
      name: 'proxy',
      ok: proxies.size > 0 ? false : config.trustProxy.length > 0 ? true : null,
      detail:
        proxies.size > 0
          ? `${[...proxies].join(', ')} sends X-Forwarded-For and is not in TRUST_PROXY: all callers count as one`
          : config.trustProxy.length > 0
            ? `believed: ${config.trustProxy.join(', ')}`
            : 'not set up',
    },
  ];
}

async function examineWall(database: Database, { allowMissingWall }: Config): Promise<Finding> {
  const { stands } = await readWall(database);
  const detail = stands
    ? 'partners see only their own rows, even if a query has a fault'
    : `missing, and servers ${allowMissingWall ? 'start without it, as ALLOW_MISSING_TENANT_WALL says' : 'do not start without it'}: have ops/roles.sql run once by a role that may create roles, and restart them`;
  return { name: 'second wall', ok: stands, detail };
}

/** `check` resolves to the detail, returns null when the thing is not set up, and rejects when it is faulty. */
async function finding(name: string, check: () => Promise<string> | null): Promise<Finding> {
  const checking = check();
  if (checking === null) return { name, ok: null, detail: 'not set up' };
  try {
    return { name, ok: true, detail: await checking };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Reads the first line of the mail server; does not log in. */
function readGreeting(smtpUrl: string): Promise<string> {
  const { protocol, hostname, port } = new URL(smtpUrl);
  const isTls = protocol === 'smtps:';
  const target = { host: hostname, port: port === '' ? (isTls ? 465 : 587) : Number(port) };
  return new Promise((resolve, reject) => {
    const socket = isTls ? connectTls({ ...target, servername: hostname }) : connectTcp(target);
    socket.setTimeout(SMTP_WITHIN_MS, () => socket.destroy(new Error('no greeting within 5 seconds')));
    socket.once('error', reject);
    socket.once('data', (bytes: Buffer) => {
      socket.destroy();
      const greeting = bytes.toString('latin1').split('\r\n')[0] ?? '';
      if (greeting.startsWith('220')) resolve(`greets as ${greeting.slice(4)}`);
      else reject(new Error(`greets with ${greeting.slice(0, 100)}`));
    });
  });
}

async function readAccountEmail(path: string): Promise<string> {
  const account: unknown = JSON.parse(await readFile(path, 'utf8'));
  const members = typeof account === 'object' && account !== null ? (account as Record<string, unknown>) : {};
  const missing = ['client_email', 'private_key', 'token_uri'].filter((name) => typeof members[name] !== 'string');
  if (missing.length > 0) throw new Error(`the file lacks ${missing.join(', ')}`);
  return String(members['client_email']);
}
