import type { SessionId } from '../base/ids.ts';
import { PassThrough } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Database } from '../platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { systemClock } from '../platform/clock.ts';
import { createPoller } from './poller.ts';
import { createLiveHub, type Watcher } from './live-hub.ts';
import { writerOf } from './live-stream.route.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const watcher = (more: Partial<Watcher> = {}): Watcher => ({
  kind: 'buyer',
  key: 'summit',
  sessionId: '01a1fcad-2787-7030-9165-82f66901ffcc' as SessionId,
  mayStay: () => true,
  notify: () => undefined,
  beat: () => undefined,
  end: () => undefined,
  ...more,
});

describe('the live hub', () => {
  it('sends no queries while no page is open', async () => {
    let asked = 0;
    const database: Database = {
      ...home.database,
      query: (statement, ...params) => {
        asked += 1;
        return home.database.query(statement, ...params);
      },
    };
    const hub = createLiveHub({
      database,
      reads: database,
      clock: systemClock,
      onFault: (error) => expect(error).toBeNull(),
    });
    expect(asked).toBe(0);
    const one = watcher();
    expect(await hub.join(one)).toBe('admitted');
    expect(asked).toBeGreaterThan(0);
    hub.leave(one);
    hub.leave(one);
    hub.close();
  });

  it('limits the open pages, and frees the slot of a page that leaves', async () => {
    const limits = { perSession: 2, perOwner: 3, perProcess: 3, forOperators: 1 };
    const { database } = home;
    const options = { database, reads: database, clock: systemClock, onFault: () => undefined };
    const hub = createLiveHub({ ...options, limits });
    const [a, b, c, d] = [
      watcher(),
      watcher(),
      watcher(),
      watcher({ sessionId: '01a1fcad-2787-7030-9165-82f66901ffcd' as SessionId }),
    ];
    const all = await Promise.all([a, b, c].map((one) => hub.join(one)));
    expect(all).toEqual(['admitted', 'admitted', 'session_full']);
    expect(await hub.join(d)).toBe('admitted');
    const e = { sessionId: '01a1fcad-2787-7030-9165-82f66901ffce' as SessionId };
    expect(await hub.join(watcher(e))).toBe('owner_full');
    expect(await hub.join(watcher({ ...e, key: 'harbor' }))).toBe('process_full');
    const operator = watcher({ ...e, kind: 'operator', key: '' });
    expect(await hub.join(operator)).toBe('admitted');
    hub.leave(operator);
    hub.leave(a);
    expect(await hub.join(c)).toBe('admitted');
    let ended = 0;
    hub.leave(b);
    await hub.join(watcher({ end: () => (ended += 1) }));
    hub.close();
    expect(ended).toBeGreaterThan(0);
    const late = { sessionId: '01a1fcad-2787-7030-9165-82f66901ffcf' as SessionId, key: 'harbor' };
    expect(await hub.join(watcher(late))).toBe('process_full');
    for (const one of [c, d]) hub.leave(one);
  });

  it('admits no page while the database is unavailable', async () => {
    const broken = { ...home.database, query: () => Promise.reject(new Error('away')) };
    const hub = createLiveHub({ database: broken, reads: broken, clock: systemClock, onFault: () => undefined });
    const one = watcher();
    await expect(hub.join(one)).rejects.toThrow('away');
    const limited = watcher();
    await expect(hub.join(limited)).rejects.toThrow('away');
    hub.close();
  });
});

describe('a live stream', () => {
  it('is cut when its client does not read', () => {
    const line = new PassThrough();
    const { notify, beat, end } = writerOf(line);
    let written = 0;
    while (!line.destroyed && written < 100_000) {
      notify(['deliveries']);
      written += 1;
    }
    expect(line.destroyed).toBe(true);
    // And all is quiet after it.
    notify(['deliveries']);
    beat();
    end();
  });

  it('writes nothing after its end', () => {
    const line = new PassThrough();
    const { notify, beat, end } = writerOf(line);
    notify(['claims', 'account']);
    beat();
    end();
    notify(['claims']);
    expect(String(line.read())).toBe('event: change\ndata: {"topics":["claims","account"]}\n\n:\n\n');
  });
});

describe('the poller', () => {
  it('polls once more for all calls that arrive during a poll', async () => {
    const begun: Array<() => void> = [];
    const poll = (): Promise<void> => new Promise((resolve) => begun.push(resolve));
    const poller = createPoller({ poll, everyMs: 1_000_000, onFault: () => undefined });
    const first = poller.pollNow();
    await Promise.resolve();
    expect(begun).toHaveLength(1);
    const [second, third] = [poller.pollNow(), poller.pollNow()];
    begun[0]?.();
    await first;
    await Promise.resolve();
    expect(begun).toHaveLength(2);
    begun[1]?.();
    await Promise.all([second, third]);
    expect(begun).toHaveLength(2);
  });

  it('goes on after a poll that failed', async () => {
    let polls = 0;
    const poll = (): Promise<void> => {
      polls += 1;
      return polls === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
    };
    const faults: unknown[] = [];
    const poller = createPoller({ poll, everyMs: 1, onFault: (error) => faults.push(error) });
    poller.start();
    poller.start();
    await eventually('it polls again', () => polls > 3);
    poller.stop();
    expect(faults).toHaveLength(1);
    await expect(poller.pollNow()).resolves.toBeUndefined();
  });
});
