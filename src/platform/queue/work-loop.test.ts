// Work loops on real wake-ups and timers, without a database: rounds are counted, and nothing is timed.
import { afterEach, describe, expect, it } from 'vitest';

import { eventually } from '../../../test/support/eventually.ts';
import { createWakeups, type Wakeups } from './wakeups.ts';
import { restOf, startWorkLoop, type WorkLoop, type WorkLoopOptions } from './work-loop.ts';

const NEVER_MS = 3_600_000;
const opened: Array<{ stop(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.stop();
});

function localWakeups(): Wakeups {
  const wakeups = createWakeups({
    // Only used across processes.
    database: undefined as never,
    acrossProcesses: false,
    onFault: (error) => {
      throw error;
    },
  });
  opened.push({ stop: () => wakeups.close() });
  return wakeups;
}

function start(wakeups: Wakeups, options: Partial<WorkLoopOptions> & Pick<WorkLoopOptions, 'round'>): WorkLoop {
  const loop = startWorkLoop({
    topic: 'routing',
    wakeups,
    pollMs: NEVER_MS,
    rest: () => 0,
    onFault: (error) => {
      throw error;
    },
    ...options,
  });
  opened.push(loop);
  return loop;
}

describe('A work loop', () => {
  it('runs rounds while there is more to do, then sleeps until it is woken', async () => {
    const wakeups = localWakeups();
    let rounds = 0;
    const loop = start(wakeups, { round: async () => (rounds += 1) < 3 });
    await eventually('it sleeps', () => loop.isAsleep());
    expect(rounds).toBe(3);
    wakeups.wake('sending');
    wakeups.wake('routing');
    expect(await eventually('it has run again', () => rounds > 3 && loop.isAsleep())).toBe(true);
    expect(rounds).toBe(4);
  });

  it('runs another round for a wake-up during a round', async () => {
    const wakeups = localWakeups();
    let rounds = 0;
    const loop = start(wakeups, {
      async round() {
        rounds += 1;
        if (rounds === 1) wakeups.wake('routing');
        return false;
      },
    });
    await eventually('it sleeps', () => loop.isAsleep());
    expect(rounds).toBe(2);
  });

  it('rests after a round as long as it is told, also when there is more to do', async () => {
    const rested: Array<readonly [number, boolean]> = [];
    const rounds = [true, false];
    const loop = start(localWakeups(), {
      round: async () => rounds.shift() ?? false,
      rest(tookMs, more) {
        rested.push([tookMs, more]);
        return 1;
      },
    });
    await eventually('it sleeps', () => loop.isAsleep());
    expect(rested).toEqual([
      [expect.any(Number), true],
      [expect.any(Number), false],
    ]);
    expect([restOf(20, false), restOf(900, false), restOf(900, true)]).toEqual([20, 50, 0]);
  });

  it('leaves a wake-up to the loop that was asleep, and heeds it while that one is busy', async () => {
    const wakeups = localWakeups();
    const rounds = { first: 0, second: 0 };
    let finish = (): void => undefined;
    const second = start(wakeups, {
      heeds: () => !first.isAsleep(),
      round: async () => (rounds.second += 1) < 0,
    });
    const first: WorkLoop = start(wakeups, {
      async round() {
        rounds.first += 1;
        if (rounds.first === 2) await new Promise<void>((resolve) => (finish = resolve));
        return false;
      },
    });
    const bothSleep = (): boolean => first.isAsleep() && second.isAsleep();
    await eventually('both sleep', bothSleep);
    wakeups.wake('routing');
    await eventually('the first is busy', () => rounds.first === 2);
    expect(rounds.second).toBe(1);
    wakeups.wake('routing');
    await eventually('the second has run', () => rounds.second === 2);
    finish();
    await eventually('both sleep again', bothSleep);
    expect(rounds).toEqual({ first: 3, second: 2 });
  });
});
