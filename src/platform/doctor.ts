// Checks everything that the service depends on: database, clocks, proxy, disk, and the operator's outside services (contract 7.2).
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { judgeEngine } from './database/engine-age.rules.ts';
import { checkMigrated } from './database/migrate.ts';
import type { Database } from './database/database.ts';
import { replicaOf } from './database/connect.ts';
import { examineReplica } from './database/replica.ts';
import { readWall } from './database/tenant.ts';
import { examineReach } from './examine-reach.ts';
import { examineStorage } from './examine-storage.ts';
import { type Examination, type Finding, findingOf } from './finding.ts';
import { areClocksApart, compareClocks } from './processes/compare-clocks.ts';
import { readProcesses } from './processes/read-processes.ts';
import { serverFacts } from './doctor.sql.ts';

/** For each service outside; a healthy one responds in far less. */
const REACH_WITHIN_MS = 5000;

type Examined = {
  readonly config: Config;
  readonly clock: Clock;
  readonly further?: readonly Examination[];
  readonly reachWithinMs?: number;
};

export async function examine(
  database: Database,
  { config, clock, further = [], reachWithinMs = REACH_WITHIN_MS }: Examined,
): Promise<Finding[]> {
  const found = await Promise.all([
    examineDatabase(database, { config, clock }),
    examineStorage(config),
    examineProcesses(database, { config, clock }),
    ...further.map((examineMore) => examineMore(database, config)),
    examineReach(config, { clock, withinMs: reachWithinMs }),
  ]);
  return found.flat();
}

async function examineDatabase(database: Database, { config, clock }: Examined): Promise<Finding[]> {
  const [facts] = await database.query(serverFacts);
  if (facts === undefined) return [{ name: 'database', ok: false, detail: 'does not respond' }];
  const { ok, warning, detail } = judgeEngine(facts.version, clock.now());
  return [
    { name: 'database', ok, detail, ...(warning ? { warning } : {}) },
    await findingOf('schema', async () => {
      await checkMigrated(database);
      return 'up to date';
    }),
    {
      name: 'durability',
      ok: facts.synchronousCommit !== 'off' && facts.fsync === 'on',
      detail: `synchronous_commit ${facts.synchronousCommit}, fsync ${facts.fsync}`,
    },
    await examineWall(database, config),
    await findingOf('replica', () => {
      const replica = replicaOf(config);
      return replica === null ? null : examineReplica(database, replica);
    }),
  ];
}

/** Checks this machine's clock, and the clocks and proxies that the running servers reported. */
async function examineProcesses(database: Database, { config, clock }: Examined): Promise<Finding[]> {
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
