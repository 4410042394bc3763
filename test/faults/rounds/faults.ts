// The faults of the fault test: their effect on processes, connections or the database, and the start of the recovery time.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type pg from 'pg';

import { sized } from '../../../bench/support/size.ts';
import type { Chance } from '../../support/chance.ts';
import { eventually } from '../../support/eventually.ts';
import type { CommitCut, Line } from './line.ts';
import type { Market, Member } from './instance.ts';
import { SERVICE_ROLE } from './postgres.ts';

export type Setting = {
  readonly market: Market;
  /** The superuser's connection; null with an embedded database. */
  readonly admin: pg.Client | null;
  /** The file system of an embedded database, to be filled; null otherwise. */
  readonly disk: string | null;
  readonly round: number;
  readonly chance: Chance;
};

export type FaultRun = {
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** The start of recovery: the beginning of the fault if other processes go on, its end if no process can work. */
  readonly recoversFrom: number;
  /** The target of the fault, for the log. */
  readonly hit: string;
  /** Broken promises of the fault itself, such as a wrong exit code. */
  readonly broken?: readonly string[];
};

export type Fault = {
  readonly name: string;
  /** One line for the table. */
  readonly title: string;
  /** About how long it lasts, for the size of the capped offers. */
  readonly seconds: number;
  /** `disk`: one process with an embedded database on a small file system. */
  readonly stage: 'processes' | 'disk';
  readonly run: (setting: Setting) => Promise<FaultRun>;
};

const OUTAGE_MS = sized(20_000, 2000);
const EXIT_WITHIN_MS = 30_000;
const IN_TRANSACTION_WITHIN_MS = sized(20_000, 3000);

/** A fault during which no process can work, so that recovery starts at its end. */
function outage(hit: string, work: (setting: Setting) => Promise<unknown>): Fault['run'] {
  return async (setting) => {
    const beganAt = Date.now();
    const more = await work(setting);
    return { beganAt, recoversFrom: Date.now(), hit: typeof more === 'string' ? more : hit };
  };
}

const each = (market: Market, work: (line: Line) => void): void => market.lines.forEach((line) => work(line));
const sql = (admin: pg.Client | null): pg.Client => {
  if (admin === null) throw new Error('this fault needs a server of its own');
  return admin;
};
const terminateAll = (admin: pg.Client): Promise<unknown> =>
  admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [SERVICE_ROLE]);
/** In turn, so that a few rounds cover all of them. */
const victimOf = <Item>(items: readonly Item[], round: number): Item => {
  const item = items[round % items.length];
  if (item === undefined) throw new Error('there is nothing to hit');
  return item;
};

export const faults: readonly Fault[] = [
  {
    name: 'kill',
    title: 'SIGKILL of one process, which is started again after 3 s',
    seconds: 10,
    stage: 'processes',
    async run({ market, round, chance }) {
      const victim = victimOf(market.members, round);
      await sleep(chance.below(1000));
      const beganAt = Date.now();
      await victim.kill();
      await sleep(3000);
      await victim.start();
      return { beganAt, recoversFrom: beganAt, hit: victim.name };
    },
  },
  {
    name: 'freeze',
    title: 'SIGSTOP of one process for 60 to 90 s, inside and outside of a transaction',
    seconds: 75,
    stage: 'processes',
    async run({ market, round, chance }) {
      const isInside = round % 2 === 0;
      // Every process in turn, each first inside and then outside.
      const victim = victimOf(market.members.toReversed(), Math.floor(round / 2));
      const wasInside = isInside && (await stopInTransaction(victim, 1 + chance.below(4)));
      if (!wasInside) victim.signal('SIGSTOP');
      const beganAt = Date.now();
      try {
        await sleep(sized(60_000, 2000) + chance.below(sized(30_000, 1000)));
      } finally {
        victim.signal('SIGCONT');
      }
      return { beganAt, recoversFrom: beganAt, hit: `${victim.name}${wasInside ? ' in a transaction' : ''}` };
    },
  },
  {
    name: 'cut',
    title: 'All connections to the database are dropped',
    seconds: 2,
    stage: 'processes',
    run: outage('all lines', async ({ market, chance }) => {
      await sleep(chance.below(1000));
      each(market, (line) => line.drop());
    }),
  },
  {
    name: 'refuse',
    title: '20 s without a way to the database: every connection is refused',
    seconds: 20,
    stage: 'processes',
    run: outage('all lines', async ({ market }) => {
      await Promise.all(market.lines.map((line) => line.refuse()));
      await sleep(OUTAGE_MS);
      await Promise.all(market.lines.map((line) => line.accept()));
    }),
  },
  {
    name: 'silence',
    title: '20 s of silence; the old connections stay dead without an end',
    seconds: 20,
    stage: 'processes',
    run: outage('all lines', async ({ market }) => {
      each(market, (line) => line.silence());
      await sleep(OUTAGE_MS);
      each(market, (line) => line.speak());
    }),
  },
  {
    name: 'delay',
    title: '20 s with 200 ms more in each direction',
    seconds: 20,
    stage: 'processes',
    run: outage('all lines', async ({ market }) => {
      each(market, (line) => line.delay(200));
      await sleep(OUTAGE_MS);
      each(market, (line) => line.delay(0));
    }),
  },
  {
    name: 'commit',
    title: '20 s in which every sixth commit is cut, before or after the server had it',
    seconds: 20,
    stage: 'processes',
    run: outage('commits', async ({ market, chance }) => {
      const cuts = { before: 0, after: 0 };
      const choose = (): CommitCut | null => {
        if (chance.below(6) > 0) return null;
        const cut = chance.below(2) === 0 ? 'before' : 'after';
        cuts[cut] += 1;
        return cut;
      };
      each(market, (line) => line.cutCommits(choose));
      await sleep(OUTAGE_MS);
      each(market, (line) => line.cutCommits(null));
      return `${cuts.before} commits before, ${cuts.after} after`;
    }),
  },
  {
    name: 'terminate',
    title: '20 s in which pg_terminate_backend ends every connection each second',
    seconds: 20,
    stage: 'processes',
    run: outage('all backends', async ({ admin }) => {
      for (let second = 0; second < OUTAGE_MS / 1000; second += 1) {
        await terminateAll(sql(admin));
        await sleep(1000);
      }
    }),
  },
  {
    name: 'welcome',
    title: '5 s in which the server ends each new connection in the packet that welcomes it',
    seconds: 5,
    stage: 'processes',
    run: outage('all lines', async ({ market }) => {
      each(market, (line) => line.endAtWelcome(true));
      each(market, (line) => line.drop());
      await sleep(sized(5000, 1000));
      each(market, (line) => line.endAtWelcome(false));
    }),
  },
  {
    name: 'readonly',
    title: '20 s of default_transaction_read_only',
    seconds: 20,
    stage: 'processes',
    run: outage('the server', async ({ admin }) => {
      await sql(admin).query('ALTER SYSTEM SET default_transaction_read_only = on');
      await sql(admin).query('SELECT pg_reload_conf()');
      try {
        await sleep(OUTAGE_MS);
      } finally {
        await sql(admin).query('ALTER SYSTEM RESET default_transaction_read_only');
        await sql(admin).query('SELECT pg_reload_conf()');
      }
    }),
  },
  {
    name: 'connections',
    title: '20 s without a free connection',
    seconds: 20,
    stage: 'processes',
    run: outage('the server', async ({ admin }) => {
      await sql(admin).query(`ALTER ROLE ${SERVICE_ROLE} CONNECTION LIMIT 0`);
      await terminateAll(sql(admin));
      await sleep(OUTAGE_MS);
      await sql(admin).query(`ALTER ROLE ${SERVICE_ROLE} CONNECTION LIMIT -1`);
    }),
  },
  {
    name: 'sigterm',
    title: 'SIGTERM to one process under load, which is started again',
    seconds: 10,
    stage: 'processes',
    async run({ market, round }) {
      const victim = victimOf(market.members, round);
      const beganAt = Date.now();
      const broken = await stopInTime([victim]);
      await victim.start();
      return { beganAt, recoversFrom: beganAt, hit: victim.name, broken };
    },
  },
  {
    name: 'sigterm-silent',
    title: 'SIGTERM to all processes while the database is silent; all are started again',
    seconds: 40,
    stage: 'processes',
    async run({ market }) {
      const beganAt = Date.now();
      each(market, (line) => line.silence());
      await sleep(3000);
      const broken = await stopInTime(market.members);
      each(market, (line) => line.speak());
      await Promise.all(market.members.map((member) => member.start()));
      return { beganAt, recoversFrom: Date.now(), hit: 'all processes', broken };
    },
  },
  {
    name: 'disk',
    title: 'Disk full for 20 s under the embedded database',
    seconds: 20,
    stage: 'disk',
    run: outage('the file system of DATA_DIR', async ({ disk }) => {
      if (disk === null) throw new Error('this fault needs a file system of its own');
      const filler = join(disk, 'filler');
      const until = Date.now() + OUTAGE_MS;
      // Repeatedly, as the server frees space when it ends.
      while (Date.now() < until) {
        fill(filler);
        await sleep(200);
      }
      rmSync(filler);
    }),
  },
];

/** False if it had no transaction open in time, as an idle process may have none. */
async function stopInTransaction({ line, signal }: Member, statements: number): Promise<boolean> {
  let isStopped = false;
  line?.onOpenTransaction((seen) => {
    if (isStopped || seen < statements) return;
    isStopped = true;
    signal('SIGSTOP');
  });
  try {
    return await eventually('a transaction is open', () => isStopped, { withinMs: IN_TRANSACTION_WITHIN_MS });
  } catch {
    return false;
  } finally {
    line?.onOpenTransaction(null);
  }
}

async function stopInTime(members: readonly Member[]): Promise<string[]> {
  const endings = await Promise.all(members.map((member) => member.stop()));
  return endings.flatMap(({ code, signal, ms }, index) => {
    const who = `${members[index]?.name} ended ${(ms / 1000).toFixed(1)} s after SIGTERM with ${code ?? signal}`;
    return code === 0 && ms <= EXIT_WITHIN_MS ? [] : [who];
  });
}

const BLOCK = Buffer.alloc(64 * 1024);

function fill(path: string): void {
  for (;;) {
    try {
      writeFileSync(path, BLOCK, { flag: existsSync(path) ? 'a' : 'w' });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
      throw error;
    }
  }
}
