// Measures the processor time that reports, searches and exports take from the primary, with and without a replica.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Standby, startStandby } from '../../test/support/standby.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { BIG_PARTNER, partnersYaml, plantPartnerPast } from '../support/partner-past.ts';
import { postgresPids, processorMs } from '../support/proc.ts';
import { run } from '../support/processes.ts';
import type { Section, Table } from '../support/report.ts';
import {
  COMMAND,
  holdEngine,
  makeWorkspace,
  removeWorkspace,
  startService,
  type Workspace,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

/** Of all partners; a tenth of them is the file that is exported. */
const DELIVERIES = sized(300_000, 3000);
/** Processor time is counted in hundredths of a second, which are 0.05 ms of each of these. */
const REQUESTS = sized(200, 3);
const EXPORTS = sized(10, 1);
/** In turn without the replica and with it. */
const ROUNDS = sized(3, 1);
const WARM_UP = sized(10, 1);
const IN_USE_WITHIN_MS = 20_000;

type Kind = { readonly name: string; readonly path: string; readonly search?: string; readonly requests: number };

const KINDS: readonly Kind[] = [
  { name: 'statistics of 365 days', path: '/portal/api/v1/buyer/stats?days=365', requests: REQUESTS },
  { name: 'overview of the portal', path: '/portal/api/buyer/overview', requests: REQUESTS },
  { name: 'page of the portal’s list', path: '/portal/api/buyer/deliveries', requests: REQUESTS },
  {
    name: 'search by email address',
    path: '/portal/api/buyer/deliveries',
    search: 'person.123450@example.com',
    requests: REQUESTS,
  },
  { name: 'search by name', path: '/portal/api/buyer/deliveries', search: 'Person 1234', requests: REQUESTS },
  { name: 'export of 30,000 rows', path: '/portal/api/v1/buyer/export', requests: EXPORTS },
];

type Cost = { readonly primaryMs: number; readonly standbyMs: number; readonly tookMs: number };
type Measured = { readonly name: string; readonly without: readonly Cost[]; readonly with: readonly Cost[] };

export async function measureReplica(options: BenchOptions): Promise<Section> {
  const { directory, progress } = options;
  const workspace = await makeWorkspace(directory, null, partnersYaml());
  const engine = await holdEngine(workspace);
  await plantPartnerPast(engine, DELIVERIES, new Date());
  const folder = join(directory, `standby-${randomBytes(4).toString('hex')}`);
  const standby = await startStandby(engine.client, folder, { shared_buffers: '256MB', random_page_cost: '1.1' });
  progress(`replica: planted ${DELIVERIES} deliveries, and made a standby`);
  const issued = await run(COMMAND, ['token', 'issue', '--partner', BIG_PARTNER, '--json'], workspace.env);
  const { token } = JSON.parse(issued) as { token: string };
  const found = KINDS.map(({ name }) => ({ name, without: [] as Cost[], with: [] as Cost[] }));
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const which of ['without', 'with'] as const) {
        const costs = await measureService({ workspace, standby, folder, token }, which === 'with');
        for (const [index, cost] of costs.entries()) found[index]?.[which].push(cost);
        progress(`replica: ${which}: ${JSON.stringify(costs.map(({ primaryMs }) => primaryMs))}`);
      }
    }
  } finally {
    await standby.stop();
    await engine.release();
    removeWorkspace(workspace);
  }
  return describe(found);
}

type Servers = {
  readonly workspace: Workspace;
  readonly standby: Standby;
  readonly folder: string;
  readonly token: string;
};

/** The costs of one request of each kind, in the order of `KINDS`. */
async function measureService({ workspace, standby, folder, token }: Servers, hasReplica: boolean): Promise<Cost[]> {
  const env = hasReplica ? { DATABASE_REPLICA_URL: standby.url } : {};
  const service = await startService({ ...workspace, env: { ...workspace.env, ...env } }, 'api');
  const cookie = await signIn(service.url, token);
  const ask = async ({ path, search }: Kind): Promise<string> => {
    const headers = { cookie, ...(search === undefined ? {} : { 'x-search': encodeURIComponent(search) }) };
    const response = await fetch(service.url + path, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
    return text;
  };
  if (hasReplica) await untilInUse(service.url, () => ask(KINDS[0] as Kind));
  const costs: Cost[] = [];
  for (const kind of KINDS) {
    for (let turn = 0; turn < Math.min(WARM_UP, kind.requests); turn += 1) await ask(kind);
    const spent = (of: string): number => processorMs(postgresPids(of));
    const before = { primary: spent(workspace.dataDir), standby: spent(folder), at: performance.now() };
    for (let turn = 0; turn < kind.requests; turn += 1) await ask(kind);
    const each = (total: number): number => total / kind.requests;
    costs.push({
      primaryMs: each(spent(workspace.dataDir) - before.primary),
      standbyMs: each(spent(folder) - before.standby),
      tookMs: each(performance.now() - before.at),
    });
  }
  await service.stop();
  return costs;
}

async function signIn(url: string, credential: string): Promise<string> {
  const response = await fetch(`${url}/portal/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ credential }),
  });
  const [cookie] = response.headers.getSetCookie();
  if (!response.ok || cookie === undefined) throw new Error(`the sign-in failed: ${await response.text()}`);
  return cookie.split(';', 1)[0] ?? '';
}

/** The first check of the replica ends a moment after the start. */
async function untilInUse(url: string, ask: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + IN_USE_WITHIN_MS;
  for (;;) {
    await ask();
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (/^leadmarket_replica_reads_total\{server="replica".*\} [1-9]/m.test(metrics)) return;
    if (performance.now() > deadline) throw new Error('the service does not read from the replica');
    await sleep(100);
  }
}

function describe(found: readonly Measured[]): Section {
  const middle = (costs: readonly Cost[], pick: (cost: Cost) => number): number => median(costs.map(pick));
  const costs: Table = {
    title: 'Processor time of one request, and its duration',
    columns: [
      '',
      'primary alone: ms',
      'with replica: primary ms',
      'share left, %',
      'with replica: replica ms',
      'primary alone: duration ms',
      'with replica: duration ms',
    ],
    rows: found.map(({ name, without, with: shared }) => {
      const alone = middle(without, ({ primaryMs }) => primaryMs);
      const left = middle(shared, ({ primaryMs }) => primaryMs);
      return [
        name,
        shown(alone),
        shown(left),
        shown((100 * left) / alone),
        shown(middle(shared, ({ standbyMs }) => standbyMs)),
        shown(middle(without, ({ tookMs }) => tookMs)),
        shown(middle(shared, ({ tookMs }) => tookMs)),
      ];
    }),
  };
  return {
    name: 'replica',
    title: 'Reading from a replica',
    notes: [
      `Two PostgreSQL servers on this machine, the second a streaming standby of the first; ${DELIVERIES.toLocaleString('en-US')} deliveries, a tenth of them one partner's, who asks one request after the other at \`--role api\`.`,
      `Processor time is that of all processes of a server, divided by the number of requests (${REQUESTS}, of exports ${EXPORTS}): also what the servers and the service do beside the requests, such as its checks once a second. Medians of ${ROUNDS} rounds, in turn without the replica and with it.`,
      'What is left on the primary is the lookup of the position up to which the reader has changed something itself.',
    ],
    tables: [costs],
    data: found,
  };
}
