// Swaps the version of a running marketplace under load, process by process, and back again.
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { openDatabase } from '../../src/platform/database/database.ts';
import { countOpen, findContradictions } from '../faults/rounds/check.ts';
import { startEndpoints } from '../faults/rounds/endpoints.ts';
import { openSuppliers } from '../faults/rounds/load.ts';
import { marketYaml } from '../faults/rounds/market.ts';
import { freePort, startPostgres } from '../faults/rounds/postgres.ts';
import { openAccounts } from '../faults/rounds/stage.ts';
import { eventually } from '../support/eventually.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { startHaproxy } from './proxies.ts';

const CAP_LEADS = 50;
/** Undisturbed load before, between and after the swaps. */
const BETWEEN_MS = 5000;
const SETTLE_MS = 60_000;

export type Swapped = {
  readonly responses: ReadonlyMap<string, number>;
  readonly offered: number;
  /** In words; none if everything holds. */
  readonly failures: readonly string[];
};

export type SwapOptions = {
  readonly directory: string;
  /** The unpacked releases: the first is replaced by the second, and the second by the first if neither has a migration more. */
  readonly from: string;
  readonly to: string;
  readonly perSecond: number;
  readonly progress: (message: string) => void;
};

/** Two APIs behind HAProxy with ops/haproxy.cfg, and a worker. */
export async function swapUnderLoad({ directory, from, to, perSecond, progress }: SwapOptions): Promise<Swapped> {
  const current = join(directory, 'leadmarket');
  const pointTo = (release: string): void => {
    rmSync(current, { force: true });
    symlinkSync(release, current);
  };
  pointTo(from);
  const program = join(current, 'bin/leadmarket');
  const failures: string[] = [];
  const endings: Array<() => unknown> = [];
  try {
    const postgres = await startPostgres(directory, null);
    endings.push(() => postgres.stop());
    await postgres.createDatabase('swap');
    const endpoints = await startEndpoints({ areHealthy: true });
    endings.push(() => endpoints.close());
    const env = {
      DATABASE_URL: postgres.urlOf('swap'),
      WEBHOOK_ALLOW_TARGETS: endpoints.origin,
      TRUST_PROXY: '127.0.0.1',
      DRAIN_SECONDS: '5',
    };
    const keys = await openAccounts(env, marketYaml(endpoints.origin, 1, CAP_LEADS));
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const roles = ['api', 'api', 'worker'] as const;
    const start = (index: number): Promise<ServerProcess> =>
      startServer({ ...env, PORT: String(ports[index]) }, { argv: ['serve', '--role', roles[index] ?? ''], program });
    const running: ServerProcess[] = [];
    for (const index of roles.keys()) running.push(await start(index));
    const proxy = await startHaproxy(directory, ports.slice(0, 2));
    endings.push(() => proxy.stop());
    const database = openDatabase({ connection: { connectionString: env.DATABASE_URL }, connections: 2 });
    endings.push(() => database.close());
    const suppliers = openSuppliers({ urls: [proxy.url], keys, perSecond });
    endings.push(() => suppliers.close());

    const load = suppliers.begin(0);
    await sleep(BETWEEN_MS);
    const isSchemaEqual = newestMigration(from) === newestMigration(to);
    if (!isSchemaEqual) progress('there is no way back: the schema is newer');
    for (const release of isSchemaEqual ? [to, from] : [to]) {
      pointTo(release);
      for (const index of roles.keys()) {
        running[index]?.signal('SIGTERM');
        const ending = await running[index]?.ended;
        if (ending?.code !== 0) failures.push(`a process ended with ${ending?.code ?? ending?.signal}`);
        running[index] = await start(index);
        if (roles[index] === 'api') await proxy.sees(index);
      }
      progress(`swapped to ${basename(release)} after ${suppliers.offered.length} leads`);
      await sleep(BETWEEN_MS);
    }
    await load.stop(SETTLE_MS);
    await eventually('nothing is pending', async () => (await countOpen(database, suppliers.offered)) === 0, {
      withinMs: SETTLE_MS,
    });
    const { contradictions } = await findContradictions(
      { database, suppliers, endpoints },
      { round: 0, leads: CAP_LEADS },
    );
    failures.push(...contradictions, ...suppliers.wrong);
    const { responses, offered } = suppliers;
    const refused = responses.get('503') ?? 0;
    if (responses.has('no answer')) failures.push(`${responses.get('no answer')} requests without an answer`);
    if (refused * 1000 > offered.length) failures.push(`${refused} of ${offered.length} requests got 503`);
    for (const server of running) server.signal('SIGTERM');
    for (const { code } of await Promise.all(running.map(({ ended }) => ended))) {
      if (code !== 0) failures.push(`a process ended with ${code}`);
    }
    return { responses, offered: offered.length, failures };
  } finally {
    for (const end of endings.toReversed()) await end();
  }
}

const newestMigration = (release: string): string | undefined =>
  readdirSync(join(release, 'migrations')).toSorted().at(-1);
