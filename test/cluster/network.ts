// Gives every machine of the cluster a network namespace of its own, so that a test can cut any of them off from any other.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from '../support/eventually.ts';

export type Machine = {
  readonly name: string;
  readonly address: string;
};

/** The database nodes, the etcd members, and the side of the service: API, workers, HAProxy and the partners' endpoints. */
export const DATABASES: readonly Machine[] = [1, 2, 3].map((n) => ({ name: `db${n}`, address: `10.20.0.${n}` }));
export const ETCDS: readonly Machine[] = [1, 2, 3].map((n) => ({ name: `etcd${n}`, address: `10.20.0.${10 + n}` }));
export const SERVICE: Machine = { name: 'service', address: '10.20.0.100' };

const BRIDGE = 'cluster';

/** Only inside of namespaces for network and mounts of the test's own: it makes a bridge, and /run is empty afterwards. */
export function buildNetwork(): void {
  run('mount', '-t', 'tmpfs', 'none', '/run');
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'link', 'add', BRIDGE, 'type', 'bridge');
  run('ip', 'address', 'add', `${SERVICE.address}/24`, 'dev', BRIDGE);
  run('ip', 'link', 'set', BRIDGE, 'up');
  for (const { name, address } of [...DATABASES, ...ETCDS]) {
    run('ip', 'netns', 'add', name);
    run('ip', 'link', 'add', `${name}-out`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    run('ip', 'link', 'set', `${name}-out`, 'master', BRIDGE, 'up');
    run('ip', '-n', name, 'link', 'set', 'lo', 'up');
    run('ip', '-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    run('ip', '-n', name, 'link', 'set', 'eth0', 'up');
  }
}

/** Drops every packet between the machine and the others, silently, as a failed switch does. */
export function cutOff(machine: Machine, others: readonly Machine[]): void {
  for (const { address } of others) {
    run('ip', 'netns', 'exec', machine.name, 'iptables', '-A', 'INPUT', '-s', address, '-j', 'DROP');
    run('ip', 'netns', 'exec', machine.name, 'iptables', '-A', 'OUTPUT', '-d', address, '-j', 'DROP');
  }
}

export function reconnect(machine: Machine): void {
  run('ip', 'netns', 'exec', machine.name, 'iptables', '-F');
}

/** To every process on the machine. */
export function signalAll(machine: Machine, signal: NodeJS.Signals): void {
  for (const pid of pidsOn(machine)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It has ended since the list was made.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** SIGKILL, and the wait until nothing is left. */
export async function killAll(machine: Machine): Promise<void> {
  await eventually(`nothing runs on ${machine.name}`, () => {
    signalAll(machine, 'SIGKILL');
    return pidsOn(machine).length === 0;
  });
}

function pidsOn({ name }: Machine): number[] {
  const pids = execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' });
  return pids.split('\n').filter(Boolean).map(Number);
}

export type RunOptions = {
  readonly logs: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** Gives the machine a /run of its own, where PostgreSQL's socket is, and becomes `postgres`. */
const AS_POSTGRES = `umask 077 && mount -t tmpfs -o mode=755 none /run && mkdir -m 755 /run/postgresql &&
  chown postgres /run/postgresql && exec setpriv --reuid=postgres --regid=postgres --init-groups -- "$@"`;

/** Runs a program on a machine as the user `postgres`, with its output in a file named after the machine. */
export function runOn(machine: Machine, argv: readonly string[], options: RunOptions): ChildProcess {
  return runLogged(
    ['ip', 'netns', 'exec', machine.name, 'sh', '-c', AS_POSTGRES, 'sh', ...argv],
    machine.name,
    options,
  );
}

export function runLogged(argv: readonly string[], name: string, { logs, env = {} }: RunOptions): ChildProcess {
  const [program = '', ...rest] = argv;
  const log = openSync(join(logs, `${name}.log`), 'a');
  const child = spawn(program, rest, {
    cwd: '/',
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  child.on('error', (error) => console.error(`${name}: ${error.message}`));
  return child;
}

export function run(program: string, ...argv: readonly string[]): string {
  return execFileSync(program, argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
