// Prepares a database, the marketplace on it and the service's processes for the rounds of one fault.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type pg from 'pg';

import { IS_TINY } from '../../../bench/support/size.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { useEmbeddedEngine } from '../../../src/platform/database/embedded-engine.ts';
import { type Env, openMarketplace, runLeadmarket } from '../../support/server-process.ts';
import { type Market, openMarket, type Role } from './instance.ts';
import { SUPPLIERS } from './market.ts';
import type { Postgres } from './postgres.ts';

export type Stage = {
  readonly market: Market;
  /** Unaffected by the faults, with the rights of the service. */
  readonly database: Database;
  readonly keys: Readonly<Record<string, string>>;
  readonly admin: pg.Client | null;
  readonly disk: string | null;
  close(): Promise<void>;
};

export type StageOptions = {
  readonly yaml: string;
  readonly webhookOrigin: string;
};

const ROLES: readonly Role[] = IS_TINY ? ['api', 'worker'] : ['api', 'api', 'worker', 'worker'];
/** The database takes 60 MB of it at once, and its log the rest as time goes on. */
const DISK = '300m';

/** Two APIs and two workers on a PostgreSQL that this test controls entirely. */
export async function openProcesses(
  postgres: Postgres,
  name: string,
  { yaml, webhookOrigin }: StageOptions,
): Promise<Stage> {
  await postgres.createDatabase(name);
  const env = { WEBHOOK_ALLOW_TARGETS: webhookOrigin };
  const keys = await openAccounts({ ...env, DATABASE_URL: postgres.urlOf(name) }, yaml);
  const urlOf = (port: number): string => postgres.urlOf(name, port);
  const market = await openMarket({ roles: ROLES, env, database: { port: postgres.port, urlOf } });
  const database = openDatabase({ connection: { connectionString: postgres.urlOf(name) }, connections: 2 });
  return {
    market,
    database,
    keys,
    admin: postgres.admin,
    disk: null,
    async close() {
      await market.close();
      await database.close();
      await postgres.admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** One process with its embedded database on a separate file system; null if this user may not mount one. */
export async function openOnDisk(directory: string, { yaml, webhookOrigin }: StageOptions): Promise<Stage | null> {
  const disk = diskOf(directory);
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'none', disk], { stdio: 'ignore' });
  } catch {
    return null;
  }
  chmodSync(disk, 0o755);
  const unmount = (): void => unmountDisk(directory);
  try {
    const env = { WEBHOOK_ALLOW_TARGETS: webhookOrigin, DATA_DIR: join(disk, 'data') };
    const keys = await openAccounts(env, yaml);
    const market = await openMarket({ roles: ['all'], env, database: null });
    const engine = await useEmbeddedEngine({ dataDir: env.DATA_DIR, log: () => undefined });
    const database = openDatabase({ connection: engine.connection, connections: 2 });
    return {
      market,
      database,
      keys,
      admin: null,
      disk,
      async close() {
        await market.close();
        await database.close();
        await engine.release();
        unmount();
      },
    };
  } catch (error) {
    unmount();
    throw error;
  }
}

const diskOf = (directory: string): string => join(directory, 'disk');

/** Also for the end of an aborted test; it does nothing if nothing is mounted. */
export function unmountDisk(directory: string): void {
  const disk = diskOf(directory);
  if (!existsSync('/proc/mounts') || !readFileSync('/proc/mounts', 'utf8').includes(` ${disk} `)) return;
  // Lazily: the last process may be just about to end.
  execFileSync('umount', ['-l', disk]);
}

/** Applies the marketplace; returns the keys of its suppliers. */
export async function openAccounts(env: Env, yaml: string): Promise<Record<string, string>> {
  const [first, ...others] = SUPPLIERS;
  const keys: Record<string, string> = { [first]: await openMarketplace(env, yaml, { keyFor: first }) };
  for (const supplier of others) {
    const { code, json, stderr } = await runLeadmarket(env, 'key', 'issue', '--supplier', supplier, '--json');
    if (code !== 0) throw new Error(`no key was issued: ${stderr}`);
    keys[supplier] = json.key;
  }
  return keys;
}
