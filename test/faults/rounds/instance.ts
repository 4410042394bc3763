// Runs the service as several processes, each behind its own proxy to PostgreSQL, with a supervisor that restarts them.
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually.ts';
import { type Ending, type Env, type ServerProcess, startServer } from '../../support/server-process.ts';
import { type Line, openLine } from './line.ts';

export type Role = 'api' | 'worker' | 'all';

export type Member = {
  readonly name: string;
  readonly role: Role;
  /** Null without a proxy to the database. */
  readonly line: Line | null;
  /** The URL on which it listens; empty for a worker. It stays the same over restarts. */
  readonly url: string;
  signal(name: NodeJS.Signals): void;
  /** SIGKILL, and the wait for its end. */
  kill(): Promise<void>;
  /** SIGTERM, and how it ended; SIGKILL if it has not ended in `withinMs`. */
  stop(withinMs?: number): Promise<Ending & { readonly ms: number }>;
  /** After `kill` or `stop`. */
  start(): Promise<void>;
};

export type Market = {
  readonly members: readonly Member[];
  readonly lines: readonly Line[];
  /** Processes that ended unexpectedly, in words; they have been restarted since. */
  readonly unasked: string[];
  /** Resolves when every process that ended by itself has been restarted. */
  whole(): Promise<void>;
  close(): Promise<void>;
};

export type MarketOptions = {
  readonly roles: readonly Role[];
  readonly env: Env;
  /** The port of each API; free ones by default. */
  readonly ports?: readonly number[];
  /** PostgreSQL's address, and the address that the service gets for a port. Null: what `env` names, else the embedded database. */
  readonly database: { readonly port: number; readonly urlOf: (port: number) => string } | null;
};

const STOP_MS = 40_000;
const RESTART_MS = 1000;
/** A start takes seconds, or many seconds on a busy machine. */
const READY_MS = 120_000;

export async function openMarket({ roles, env, ports = [], database }: MarketOptions): Promise<Market> {
  const unasked: string[] = [];
  const members: Member[] = [];
  const lines: Line[] = [];
  const restarts = new Set<Promise<void>>();
  const market: Market = {
    members,
    lines,
    unasked,
    async whole() {
      while (restarts.size > 0) await Promise.all(restarts);
    },
    async close() {
      await Promise.all(members.map((member) => member.kill()));
      await Promise.all(lines.map((line) => line.close()));
    },
  };
  try {
    for (const [index, role] of roles.entries()) {
      const line = database === null ? null : await openLine({ host: '127.0.0.1', port: database.port });
      if (line !== null) lines.push(line);
      const url = line === null ? {} : { DATABASE_URL: database?.urlOf(line.port) ?? '' };
      const name = `${role} ${roles.slice(0, index + 1).filter((other) => other === role).length}`;
      const context = { name, role, line, env: { ...env, ...url }, port: ports[index] ?? 0, unasked, restarts };
      members.push(await openMember(context));
    }
    return market;
  } catch (error) {
    await market.close();
    throw error;
  }
}

type MemberContext = Pick<Member, 'name' | 'role' | 'line'> & {
  readonly env: Env;
  readonly port: number;
  readonly unasked: string[];
  readonly restarts: Set<Promise<void>>;
};

async function openMember({ name, role, line, env, port: wanted, unasked, restarts }: MemberContext): Promise<Member> {
  /** Keyed by the processes themselves: one that was stopped may have a successor already. */
  const asked = new Set<ServerProcess>();
  let port = String(wanted);
  let current: ServerProcess | null = null;

  const start = async (): Promise<void> => {
    const process = await startServer(
      { ...env, PORT: port },
      { argv: ['serve', '--role', role], readyWithinMs: READY_MS },
    );
    current = process;
    if (process.url !== '') port = new URL(process.url).port;
    void process.ended.then((ending) => {
      if (asked.has(process)) return;
      unasked.push(`${name} ended with ${ending.code ?? ending.signal}: ${lastLines(process.output())}`);
      const restart = startAgain().finally(() => restarts.delete(restart));
      restarts.add(restart);
    });
  };
  // The database may still be unavailable, and then a start fails.
  const startAgain = (): Promise<void> =>
    eventually(
      `${name} is started again`,
      async () => {
        await sleep(RESTART_MS);
        return start().then(
          () => true,
          () => false,
        );
      },
      { withinMs: 2 * READY_MS },
    ).then(() => undefined);

  await start();
  const running = (): ServerProcess => {
    if (current === null) throw new Error(`${name} does not run`);
    return current;
  };
  return {
    name,
    role,
    line,
    url: running().url,
    signal: (signal) => running().signal(signal),
    async kill() {
      const process = running();
      asked.add(process);
      sendTo(process, 'SIGKILL');
      await process.ended;
    },
    async stop(withinMs = STOP_MS) {
      const process = running();
      const startedAt = performance.now();
      asked.add(process);
      sendTo(process, 'SIGTERM');
      const killTimer = setTimeout(() => sendTo(process, 'SIGKILL'), withinMs);
      const ending = await process.ended;
      clearTimeout(killTimer);
      return { ...ending, ms: performance.now() - startedAt };
    },
    start: startAgain,
  };
}

/** It may have ended by itself at that moment. */
function sendTo(process: ServerProcess, signal: NodeJS.Signals): void {
  try {
    process.signal(signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The end of its output, which explains why it ended. */
function lastLines(output: string): string {
  return output.trim().split('\n').slice(-6).join(' | ').slice(-600);
}
