// `npm run test:cluster [-- --rounds N] [--only kill,freeze,…] [--rate N] [--database hosts|haproxy] [--room N] [--write] [--keep]`: runs the
// service on a cluster of Patroni, etcd and HAProxy under load, applies faults to it, and checks every lead (docs/high-availability.md).
//
// It starts itself again in namespaces of its own for network, mounts and processes. When that copy ends, however it ends, the kernel ends
// every process of the cluster and takes its network and its file systems away.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startEndpoints } from '../faults/rounds/endpoints.ts';
import { openMarket } from '../faults/rounds/instance.ts';
import { openSuppliers } from '../faults/rounds/load.ts';
import { table, writeRows } from '../faults/rounds/report.ts';
import { openAccounts } from '../faults/rounds/stage.ts';
import { eventually } from '../support/eventually.ts';
import { runLeadmarket } from '../support/server-process.ts';
import { API_PORTS, startCluster } from './cluster.ts';
import { type Fault, faults } from './faults.ts';
import { clusterYaml } from './market.ts';
import { buildNetwork } from './network.ts';
import { brokenIn, COLUMNS, inWords, rowOf, type Series } from './report.ts';
import { type Round, runRound } from './rounds.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/high-availability.md');
/** The folder of the run; set in the copy that runs in the namespaces. */
const INSIDE = 'CLUSTER_DIRECTORY';
/** Half of the leads of one round that compete for its capped offer, at least. */
const CAP_SECONDS = 5;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    only: { type: 'string', default: faults.map(({ name }) => name).join() },
    // Leads per second.
    rate: { type: 'string', default: '100' },
    // How the service reaches the database: every server by name, or HAProxy's port for writes.
    database: { type: 'string', default: 'hosts' },
    room: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    // Leaves the logs.
    keep: { type: 'boolean', default: false },
  },
});
const [rounds, perSecond, room] = [values.rounds, values.rate, values.room].map(Number) as [number, number, number];
const chosen = values.only.split(',').map((name): Fault => {
  const fault = faults.find((known) => known.name === name);
  if (fault !== undefined) return fault;
  console.error(`There is no fault ${name}; there are ${faults.map((known) => known.name).join(', ')}.`);
  return process.exit(2);
});
if (values.database !== 'hosts' && values.database !== 'haproxy') {
  console.error('--database is hosts or haproxy.');
  process.exit(2);
}
const way = values.database;

const inside = process.env[INSIDE];
process.exit(inside === undefined ? await runInNamespaces() : await runAll(inside));

/** Returns the exit code. */
async function runInNamespaces(): Promise<number> {
  if (process.getuid?.() !== 0) {
    console.error('test:cluster makes network namespaces and mounts, and has to run as root.');
    return 2;
  }
  const directory = mkdtempSync(join(tmpdir(), 'leadmarket-cluster-'));
  chmodSync(directory, 0o755);
  mkdirSync(join(directory, 'logs'));
  mkdirSync(join(directory, 'data'));
  // The shell is the first process, and as such buries what nobody waits for: a killed server that is still seen would not be started again.
  const shell = ['bash', '-c', '"$@"; exit $?', 'bash'];
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const command = [
    '--pdeathsig',
    'KILL',
    'unshare',
    ...namespaces,
    ...shell,
    process.execPath,
    ...process.argv.slice(1),
  ];
  const child = spawn('setpriv', command, { stdio: 'inherit', env: { ...process.env, [INSIDE]: directory } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      console.error(`Broken off by ${signal}.`);
      child.kill('SIGKILL');
    });
  }
  const code = await new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? 130)));
  if (values.keep) console.error(`The logs are in ${join(directory, 'logs')}.`);
  else rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  return code;
}

async function runAll(directory: string): Promise<number> {
  const [data, logs] = [join(directory, 'data'), join(directory, 'logs')];
  buildNetwork();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'none', data]);
  progress(`starts etcd, Patroni and HAProxy; ${perSecond} leads per second; DATABASE_URL names ${way}`);
  const cluster = await startCluster({ directory: data, logs });
  progress('the cluster is whole');
  const databaseUrl = cluster.urls[way];
  const endpoints = await startEndpoints();
  const env = { DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_TARGETS: endpoints.origin, DRAIN_SECONDS: '3' };
  const cap = perSecond * CAP_SECONDS;
  const keys = await openAccounts(env, clusterYaml(endpoints.origin, { rounds: rounds * chosen.length, cap }));
  const market = await openMarket({
    roles: ['api', 'api', 'worker', 'worker'],
    ports: API_PORTS,
    env,
    database: null,
  });
  await eventually('HAProxy finds an API', async () => {
    const response = await fetch(`${cluster.origin}/readyz`).catch(() => null);
    return response?.ok === true;
  });
  progress('the service runs');
  const suppliers = openSuppliers({ urls: [cluster.origin], keys, perSecond });
  const all = { cluster, market, suppliers, endpoints, cap };
  const done: Series[] = [];
  let isBrokenOff = false;
  for (const [place, fault] of chosen.entries()) {
    const rows: Round[] = [];
    for (let round = 0; round < rounds && !isBrokenOff; round += 1) {
      try {
        const row = await runRound(fault, place * rounds + round, all);
        rows.push(row);
        progress(`${fault.name} ${round + 1}/${rounds} ${inWords(row)}`);
      } catch (error) {
        isBrokenOff = true;
        progress(
          `${fault.name} ${round + 1}/${rounds} broke off: ${error instanceof Error ? error.stack : String(error)}`,
        );
      }
    }
    if (rows.length > 0) done.push({ fault, rounds: rows });
  }
  const { code, stdout } = await runLeadmarket({ DATABASE_URL: databaseUrl }, 'ledger', 'check');
  return report(done, { isBrokenOff, ledger: code === 0 ? null : stdout });
}

function report(
  done: readonly Series[],
  run: { readonly isBrokenOff: boolean; readonly ledger: string | null },
): number {
  const today = new Date().toISOString().slice(0, 10);
  const rows = done.map((series) => rowOf(series, today));
  console.log(`\n${table(rows, COLUMNS)}\n`);
  const broken = [
    ...done.flatMap((series) => brokenIn(series, room).map((sentence) => `${series.fault.name}: ${sentence}`)),
    ...(run.isBrokenOff ? ['the run broke off'] : []),
    ...(run.ledger === null ? [] : [`leadmarket ledger check: ${run.ledger}`]),
  ];
  for (const sentence of broken) console.log(sentence);
  if (values.write) {
    const conditions = `Last written after a run with ${perSecond} leads per second; DATABASE_URL named ${way === 'hosts' ? 'all servers' : 'HAProxy'}.`;
    writeRows(DOCUMENT, rows, { order: faults.map(({ title }) => title), conditions, columns: COLUMNS });
  }
  console.log(broken.length === 0 ? 'Everything holds.' : 'Not everything holds.');
  return broken.length === 0 ? 0 : 1;
}

function progress(message: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${message}`);
}
