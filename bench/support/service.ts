// Starts the service like an operator: the real command on its own data directory, with its embedded database.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';

import { type EmbeddedEngine, useEmbeddedEngine } from '../../src/platform/database/embedded-engine.ts';
import type { Target } from './load.ts';
import { marketYaml } from './market.ts';
import { type Program, run, startProgram } from './processes.ts';

export const COMMAND = join(import.meta.dirname, '../../bin/leadmarket');

export type Workspace = {
  readonly dataDir: string;
  readonly key: string;
  readonly env: Readonly<Record<string, string>>;
};

export type Service = Target & { readonly pid: number; readonly stop: Program['stop'] };

/** A data directory with a current marketplace (the usual one by default) and a key for submitting leads. */
export async function makeWorkspace(
  directory: string,
  webhookOrigin: string | null,
  market = marketYaml(webhookOrigin),
): Promise<Workspace> {
  const dataDir = mkdtempSync(join(directory, 'data-'));
  const env = { DATA_DIR: dataDir, DEMO: 'off', WEBHOOK_ALLOW_TARGETS: webhookOrigin ?? '' };
  const file = join(directory, 'market.yaml');
  writeFileSync(file, market);
  await run(COMMAND, ['apply', file], env);
  return { dataDir, env, key: await issueKey({ env }, 'bench') };
}

export async function issueKey(
  { env }: Pick<Workspace, 'env'>,
  supplier: 'bench' | 'small' | 'limited',
): Promise<string> {
  const issued = await run(COMMAND, ['key', 'issue', '--supplier', supplier, '--json'], env);
  return (JSON.parse(issued) as { key: string }).key;
}

export function removeWorkspace({ dataDir }: Workspace): void {
  rmSync(dataDir, { recursive: true, force: true });
}

/** `cores` in the notation of taskset; by default the cores of this process. */
export async function startService(
  workspace: Workspace,
  role: 'all' | 'api' | 'worker',
  cores?: string,
): Promise<Service> {
  const command = [...(cores === undefined ? [] : ['taskset', '-c', cores]), COMMAND];
  const args = [...command.slice(1), 'serve', '--role', role];
  const program = startProgram(command[0] ?? COMMAND, args, { ...workspace.env, PORT: '0' });
  const line = await program.line(/^(?:URL|Worker) {2}/);
  return { url: line.slice('URL  '.length), key: workspace.key, pid: program.pid, stop: program.stop };
}

/** A target that responds like the service and stores nothing. */
export async function startFloor(): Promise<Service> {
  const program = startProgram(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, '../floor-server.ts'),
  ]);
  const { port, key } = JSON.parse(await program.line(/^\{"port"/)) as { port: number; key: string };
  return { url: `http://127.0.0.1:${port}`, key, pid: program.pid, stop: program.stop };
}

export type Engine = EmbeddedEngine & { readonly client: pg.Client };

/** Starts the database of a data directory (or joins it) and keeps it; services started later share it and its settings. */
export async function holdEngine(
  { dataDir }: Workspace,
  settings: Readonly<Record<string, string>> = {},
): Promise<Engine> {
  const engine = await useEmbeddedEngine({ dataDir, settings, log: () => undefined });
  const client = new pg.Client(engine.connection);
  await client.connect();
  const held: Engine = {
    ...engine,
    client,
    async release() {
      engines.delete(held);
      await client.end();
      await engine.release();
    },
  };
  engines.add(held);
  return held;
}

/** The database as an external one: several servers may share it, but not a data directory. */
export function asExternal(workspace: Workspace, { connection: { host, port, user, database } }: Engine): Workspace {
  const url = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}&sslmode=disable`;
  return { ...workspace, env: { ...workspace.env, DATABASE_URL: url } };
}

const engines = new Set<Engine>();

/** For the end of the benchmark, also an early one. */
export async function releaseEngines(): Promise<void> {
  for (const engine of engines) await engine.release();
}

export async function countOf(client: pg.Client, table: 'routing_inbox' | 'delivery' | 'send_job'): Promise<number> {
  const { rows } = await client.query<{ rows: string }>(`SELECT count(*) AS rows FROM ${table}`);
  return Number(rows[0]?.rows);
}

/** Waits until the table is empty; false if it is not after `seconds`. */
export async function untilEmpty(
  client: pg.Client,
  table: 'routing_inbox' | 'send_job',
  seconds: number,
): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while ((await countOf(client, table)) > 0) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}

/** Waits until every lead is routed and every delivery is sent and confirmed; false if some are not after `seconds`. */
export async function untilAllSent(client: pg.Client, seconds: number): Promise<boolean> {
  return (await untilEmpty(client, 'routing_inbox', seconds)) && (await untilEmpty(client, 'send_job', seconds));
}
