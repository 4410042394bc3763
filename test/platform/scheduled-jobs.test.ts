// Tests scheduled jobs on a real database, with several schedulers as processes and a clock that the test sets.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { Database } from '../../src/platform/database/database.ts';
import { readLastRun, type Scheduler, startScheduler } from '../../src/platform/queue/scheduled-jobs.ts';
import { select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';

const MINUTE = 60_000;
const TICK_MS = 5;

let home: TestDatabase;
const schedulers: Scheduler[] = [];
beforeAll(async () => {
  home = await createTestDatabase();
});
afterEach(async () => {
  for (const scheduler of schedulers.splice(0)) await scheduler.stop();
});
afterAll(() => home.drop());

let serial = 0;
const newName = (): string => `test-${++serial}`;

type WatchedClock = HandClock & { readonly looks: () => number };

/** Counts how often the schedulers have looked at it. */
function watchedClock(at: string): WatchedClock {
  const hand = handClock(at);
  let looks = 0;
  const now = (): Date => {
    looks += 1;
    return hand.now();
  };
  return { ...hand, now, looks: () => looks };
}

const noonAndAHalf = (): WatchedClock => watchedClock('2026-11-18T12:00:30.000Z');

type Started = {
  readonly name: string;
  readonly clock: HandClock;
  readonly faults?: unknown[];
  readonly cron?: string;
  readonly hasWork?: () => Promise<boolean>;
  readonly database?: Pick<Database, 'query'>;
};

/** A process whose job does what the test says. */
function start(started: Started, run: () => Promise<void> | void): Scheduler {
  const { name, clock, faults = [], cron = '* * * * *', hasWork, database = home.database } = started;
  const scheduler = startScheduler({
    ...{ database, clock, tickMs: TICK_MS },
    jobs: [{ name, cron, ...(hasWork === undefined ? {} : { hasWork }), run: async () => run() }],
    onFault: (error) => faults.push(error),
  });
  schedulers.push(scheduler);
  return scheduler;
}

type Row = { readonly dueAt: Date; readonly isRunning: boolean; readonly completedAt: Date | null };

async function rowOf(name: string): Promise<Row | undefined> {
  const [row] = await select<Row>(
    home.database,
    `SELECT due_at AS "dueAt", leased_until IS NOT NULL AS "isRunning", completed_at AS "completedAt" FROM scheduled_job WHERE name = $1`,
    [name],
  );
  return row;
}

/** Until the schedulers have looked at the clock several times. */
async function someLooks({ looks }: WatchedClock): Promise<void> {
  const before = looks();
  await eventually('the schedulers have looked at the clock', () => looks() > before + 20);
}
const lastRun = (name: string): Promise<Date | null> => home.database.tx((tx) => readLastRun(tx, name));

describe('A scheduled job', () => {
  it('is run by one of several processes at each due time', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    const runs: Date[] = [];
    /** Processes that know, for all due times together, that the run is theirs or another's. */
    let known = 0;
    const database: Pick<Database, 'query'> = {
      async query(statement, ...params) {
        const rows = await home.database.query(statement, ...params);
        const [claim] = rows as ReadonlyArray<{ isClaimed?: boolean; isTaken?: boolean }>;
        if (claim?.isClaimed === true || claim?.isTaken === true) known += 1;
        return rows;
      },
    };
    for (let process = 0; process < 5; process += 1)
      start({ name, clock, database }, () => void runs.push(clock.now()));
    for (let minute = 1; minute <= 4; minute += 1) {
      clock.advance(MINUTE);
      await eventually('it is done', async () => (await lastRun(name))?.getTime() === clock.now().getTime());
      // A claim still under way would take the next minute for that of a clock that is wrong.
      await eventually('all know', () => known === 5 * minute);
    }
    await someLooks(clock);
    expect(runs.map((at) => at.toISOString())).toEqual([
      '2026-11-18T12:01:30.000Z',
      '2026-11-18T12:02:30.000Z',
      '2026-11-18T12:03:30.000Z',
      '2026-11-18T12:04:30.000Z',
    ]);
    expect((await rowOf(name))?.dueAt).toEqual(new Date('2026-11-18T12:04:00.000Z'));
  });

  it('runs once when several due times have passed', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    let runs = 0;
    start({ name, clock }, () => void (runs += 1));
    clock.advance(60 * MINUTE);
    await eventually('it is done', async () => (await lastRun(name)) !== null);
    await someLooks(clock);
    expect(runs).toBe(1);
  });

  it('does not run for a due time before the start of the process', async () => {
    const clock = watchedClock('2026-11-18T12:47:00.000Z');
    const name = newName();
    let runs = 0;
    start({ name, clock, cron: '47 3 * * *' }, () => void (runs += 1));
    start({ name, clock, cron: '47 12 * * *' }, () => void (runs += 1));
    await someLooks(clock);
    expect([runs, await lastRun(name)]).toEqual([0, null]);
    clock.set('2026-11-19T03:47:00.000Z');
    await eventually('it is done', () => runs === 1);
  });

  it('does not run concurrently with itself, and then runs once for the due times that passed', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    const first = Promise.withResolvers<void>();
    const runs: string[] = [];
    const one = start({ name, clock }, () => {
      runs.push('one');
      return runs.length === 1 ? first.promise : undefined;
    });
    clock.advance(MINUTE);
    await eventually('the first one runs it', () => runs.length === 1);
    start({ name, clock }, () => void runs.push('other'));
    clock.advance(MINUTE / 2);
    await someLooks(clock);
    expect(runs).toEqual(['one']);
    first.resolve();
    await eventually('it is run once more', () => runs.length === 2);
    await one.stop();
    await someLooks(clock);
    expect(runs).toHaveLength(2);
  });

  it('runs in another process at a later due time when the lease of a dead process has expired', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    await home.database.pool.query(
      `INSERT INTO scheduled_job (name, due_at, leased_until) VALUES ($1, '2026-11-18T12:00:00Z', '2026-11-18T12:01:25Z')`,
      [name],
    );
    let runs = 0;
    start({ name, clock }, () => void (runs += 1));
    clock.set('2026-11-18T12:01:20.000Z');
    await someLooks(clock);
    expect(runs).toBe(0);
    clock.set('2026-11-18T12:01:26.000Z');
    await eventually('it is done', async () => (await lastRun(name)) !== null);
    expect(runs).toBe(1);
  });

  it('is reported when it fails, does not count as completed, and runs again at its next due time', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    const faults: unknown[] = [];
    start({ name, clock, faults }, () => {
      if (clock.now().toISOString() === '2026-11-18T12:01:30.000Z') throw new Error('it broke');
    });
    clock.advance(MINUTE);
    await eventually('it is reported', () => faults.length === 1);
    await eventually('it is not running', async () => (await rowOf(name))?.isRunning === false);
    await someLooks(clock);
    expect([faults, await lastRun(name)]).toEqual([[new Error('it broke')], null]);
    clock.advance(MINUTE);
    await eventually('it is done', async () => (await lastRun(name)) !== null);
    expect(faults).toHaveLength(1);
  });

  it('runs although a process whose clock was a year ahead has run it', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    await home.database.pool.query(
      `INSERT INTO scheduled_job (name, due_at, leased_until) VALUES ($1, '2027-11-18T12:00:00Z', '2027-11-18T12:01:00Z')`,
      [name],
    );
    start({ name, clock }, () => undefined);
    clock.advance(MINUTE);
    await eventually('it is done', async () => (await lastRun(name)) !== null);
    expect((await rowOf(name))?.dueAt).toEqual(new Date('2026-11-18T12:01:00.000Z'));
  });

  it('passes over due times without work, and writes nothing for them', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    const asked: string[] = [];
    let hasWork = false;
    let runs = 0;
    const ask = async (): Promise<boolean> => {
      asked.push(clock.now().toISOString());
      return hasWork;
    };
    start({ name, clock, hasWork: ask }, () => void (runs += 1));
    clock.advance(MINUTE);
    await eventually('it is asked', () => asked.length === 1);
    await someLooks(clock);
    expect([asked.length, runs, await rowOf(name)]).toEqual([1, 0, undefined]);
    hasWork = true;
    await someLooks(clock);
    expect([asked.length, runs]).toEqual([1, 0]);
    clock.advance(MINUTE);
    await eventually('it is done', async () => (await lastRun(name)) !== null);
    expect([asked.length, runs]).toEqual([2, 1]);
  });

  it('is asked for work again soon where asking failed', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    const faults: unknown[] = [];
    const hasWork = async (): Promise<boolean> => {
      if (faults.length < 2) throw new Error('away');
      return true;
    };
    start({ name, clock, faults, hasWork }, () => undefined);
    clock.advance(MINUTE);
    await eventually('it is done at the same due time', async () => (await lastRun(name)) !== null);
    expect(faults).toEqual([new Error('away'), new Error('away')]);
  });

  it('runs at the due times of a clock that was set back', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    let runs = 0;
    start({ name, clock }, () => void (runs += 1));
    clock.advance(60 * MINUTE);
    await eventually('it is done', async () => (await lastRun(name)) !== null);
    clock.advance(-30 * MINUTE);
    // What was taken by the wrong clock counts for nothing, as for a clock of another process.
    await eventually('it is done again', () => runs === 2);
    clock.advance(MINUTE);
    await eventually('and at the next due time', () => runs === 3);
    expect((await rowOf(name))?.dueAt).toEqual(new Date('2026-11-18T12:31:00.000Z'));
  });

  it('is waited for when its process stops', async () => {
    const clock = noonAndAHalf();
    const name = newName();
    const end = Promise.withResolvers<void>();
    let isRunning = false;
    const scheduler = start({ name, clock }, () => {
      isRunning = true;
      return end.promise;
    });
    clock.advance(MINUTE);
    await eventually('it runs', () => isRunning);
    const stopped = scheduler.stop();
    end.resolve();
    await stopped;
    expect(await lastRun(name)).toEqual(clock.now());
  });
});
