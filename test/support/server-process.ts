// Runs the service like an operator: the real command in separate processes, with their output.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from './eventually.ts';
import { isRunning } from './processes.ts';
import type { Json } from './scope-app.ts';

const PROJECT = join(import.meta.dirname, '../..');
const LAUNCHER = join(PROJECT, 'bin/leadmarket');

export type Env = Readonly<Record<string, string>>;
export type Ending = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type ServerProcess = {
  readonly pid: number;
  /** Where it listens; empty for a worker. */
  readonly url: string;
  /** Everything written so far, standard error too. */
  readonly output: () => string;
  readonly ended: Promise<Ending>;
  /** To the process itself, or to all of its process group as a terminal does it. */
  readonly signal: (name: NodeJS.Signals, to?: 'process' | 'group') => void;
};

export type StartOptions = {
  readonly argv?: readonly string[];
  /** What to run instead of `bin/leadmarket`: in the project's folder. */
  readonly program?: string;
  readonly readyWithinMs?: number;
};

const started = new Set<ChildProcess>();

/** For `afterAll`: ends the processes that a failed test has left running. Embedded databases end with their last process. */
export async function killServers(): Promise<void> {
  for (const child of started) {
    const { pid } = child;
    if (pid === undefined || child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await eventually('a killed process is gone', () => !isRunning(pid));
  }
  started.clear();
}

/** A folder for DATA_DIR that the database's own user can enter, and a function that removes it. */
export function makeDataDir(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'leadmarket-server-'));
  chmodSync(path, 0o755);
  // A killed server's database may still be writing its last file.
  return {
    path: join(path, 'data'),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }),
  };
}

/** Resolves when the process reports that it is ready; rejects with its output if it ends before. */
export async function startServer(env: Env, options: StartOptions = {}): Promise<ServerProcess> {
  const server = launchServer(env, options);
  return { ...server, url: await server.ready() };
}

export type LaunchedServer = Omit<ServerProcess, 'url'> & {
  /** Resolves to where it listens when it says that it is ready. */
  readonly ready: () => Promise<string>;
};

/** A process that may have to wait before it is ready. */
export function launchServer(
  env: Env,
  { argv = ['serve'], program = LAUNCHER, readyWithinMs }: StartOptions = {},
): LaunchedServer {
  // A separate process group, so that it can get signals as from a terminal.
  const { child, output, ended } = run(program, argv, {
    env: { PORT: '0', DEMO: 'off', DRAIN_SECONDS: '0', ...env },
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  let ending: Ending | null = null;
  void ended.then((how) => (ending = how));
  const look = (): { url: string } | null => {
    if (ending !== null) throw new Error(`the server ended instead of starting: ${output()}`);
    const ready = /^(?:URL {2}(http\S+)|Worker {2}running)$/m.exec(output());
    return ready === null ? null : { url: ready[1] ?? '' };
  };
  return {
    pid,
    output,
    ended,
    async ready() {
      const within = readyWithinMs === undefined ? {} : { withinMs: readyWithinMs };
      return (await eventually('the server is ready', look, within)).url;
    },
    signal(name, to = 'process') {
      process.kill(to === 'group' ? -pid : pid, name);
    },
  };
}

export type Finished = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly json: Json;
};

/** Runs one command to its end; with `--json` among its arguments its output is parsed, too. */
export async function runLeadmarket(env: Env, ...argv: readonly string[]): Promise<Finished> {
  const { stdout, stderr, ended } = run(LAUNCHER, argv, { env, detached: false });
  const { code } = await ended;
  return { code, stdout: stdout(), stderr: stderr(), json: argv.includes('--json') ? JSON.parse(stdout()) : null };
}

/** Applies a marketplace file, and issues a key to one of its suppliers: the secret for `x-api-key`. */
export async function openMarketplace(env: Env, yaml: string, { keyFor }: { keyFor: string }): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'leadmarket-file-'));
  try {
    const file = join(folder, 'marketplace.yaml');
    writeFileSync(file, yaml);
    await mustSucceed(runLeadmarket(env, 'apply', file, '--json'));
    return (await mustSucceed(runLeadmarket(env, 'key', 'issue', '--supplier', keyFor, '--json'))).json.key;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function mustSucceed(command: Promise<Finished>): Promise<Finished> {
  const finished = await command;
  if (finished.code !== 0) throw new Error(`a command was refused: ${finished.stdout}${finished.stderr}`);
  return finished;
}

function run(program: string, argv: readonly string[], { env, detached }: { env: Env; detached: boolean }) {
  const child = spawn(program, argv, {
    cwd: PROJECT,
    // Only PATH of the test's own environment, to find programs.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  started.add(child);
  const said = { stdout: '', stderr: '', all: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      said.all += text;
    });
  }
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      started.delete(child);
      resolve({ code, signal });
    });
  });
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, output: () => said.all, ended };
}
