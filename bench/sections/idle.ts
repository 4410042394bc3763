// Measures what a service uses that has nothing to do: processor time and statements per second, by role.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { postgresPids, processorMs } from '../support/proc.ts';
import type { Section } from '../support/report.ts';
import { sized } from '../support/size.ts';
import {
  asExternal,
  holdEngine,
  makeWorkspace,
  removeWorkspace,
  type Service,
  startService,
  type Workspace,
} from '../support/service.ts';

/** Of processor time, in milliseconds, and of statements. */
type PerSecond = { readonly node: number; readonly postgres: number; readonly statements: number };

/** Past the compilation of what runs at the start. */
const SETTLED_AFTER_MS = sized(10_000, 500);
/** Whole minutes, so that the scheduled jobs of each minute count as often as they run. */
const MEASURED_MS = sized(60_000, 500);

export async function measureIdle({ directory, progress }: BenchOptions): Promise<Section> {
  const workspace = await makeWorkspace(directory, null);
  const engine = await holdEngine(workspace, { shared_preload_libraries: 'pg_stat_statements' });
  await engine.client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const external = asExternal(workspace, engine);
  const statements = async (): Promise<number> => {
    const { rows } = await engine.client.query<{ calls: string }>('SELECT sum(calls) AS calls FROM pg_stat_statements');
    return Number(rows[0]?.calls);
  };
  const measure = async (services: readonly Service[]): Promise<PerSecond> => {
    await sleep(SETTLED_AFTER_MS);
    const used = async (): Promise<PerSecond> => ({
      node: processorMs(services.map(({ pid }) => pid)),
      postgres: processorMs(postgresPids(workspace.dataDir)),
      statements: await statements(),
    });
    const before = await used();
    await sleep(MEASURED_MS);
    const after = await used();
    for (const service of services) await service.stop();
    const perSecond = (of: (one: PerSecond) => number): number => (of(after) - of(before)) / (MEASURED_MS / 1000);
    return {
      node: perSecond((one) => one.node),
      postgres: perSecond((one) => one.postgres),
      statements: perSecond((one) => one.statements),
    };
  };
  const layouts: ReadonlyArray<
    readonly [title: string, on: Workspace, roles: ReadonlyArray<'all' | 'api' | 'worker'>]
  > = [
    ['PostgreSQL alone', workspace, []],
    ['`--role all`, embedded database', workspace, ['all']],
    ['`--role api`', external, ['api']],
    ['`--role worker`', external, ['worker']],
    ['an api and two workers', external, ['api', 'worker', 'worker']],
  ];
  const measured: Array<PerSecond & { readonly title: string }> = [];
  for (const [title, on, roles] of layouts) {
    const services: Service[] = [];
    for (const role of roles) services.push(await startService(on, role));
    measured.push({ title, ...(await measure(services)) });
    progress(`idle: ${JSON.stringify(measured.at(-1))}`);
  }
  await engine.release();
  removeWorkspace(workspace);
  return {
    name: 'idle',
    title: 'Idle',
    notes: [
      `A marketplace without leads and without pages that are open, without the demo; over ${MEASURED_MS / 1000} s, ${SETTLED_AFTER_MS / 1000} s after the start. Load average at the end: ${shown(loadavg()[0] ?? 0)}.`,
    ],
    tables: [
      {
        title: 'Per second',
        columns: ['', 'Node, ms', 'PostgreSQL, ms', 'together, ms', 'statements'],
        rows: measured.map(({ title, node, postgres, statements: count }) => [
          title,
          ...[node, postgres, node + postgres, count].map(shown),
        ]),
      },
    ],
    data: measured,
  };
}
