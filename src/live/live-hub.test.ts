import type { SessionId } from '../base/ids.ts';
import { PassThrough } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Database } from '../platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { systemClock } from '../platform/clock.ts';
import { repeatLook } from './repeated-look.ts';
import { createLiveHub, type Watcher } from './live-hub.ts';
import { writerOf } from './stream-writer.ts';

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

describe('the hub of live lines', () => {
  it('asks nothing while nobody looks', async () => {
    let asked = 0;
    const database: Database = {
      ...home.database,
      query: (statement, ...params) => {
        asked += 1;
        return home.database.query(statement, ...params);
      },
    };
    const hub = createLiveHub({ database, clock: systemClock, onFault: (error) => expect(error).toBeNull() });
    expect(asked).toBe(0);
    const one = watcher();
    expect(await hub.join(one)).toBe('admitted');
    expect(asked).toBeGreaterThan(0);
    hub.leave(one);
    hub.leave(one);
    hub.close();
  });

  it('has so many places, and frees those that were left', async () => {
    const limits = { perSession: 2, perOwner: 3, perProcess: 3, forOperators: 1 };
    const hub = createLiveHub({ database: home.database, clock: systemClock, onFault: () => undefined, limits });
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

  it('lets nobody in whom it could not tell anything', async () => {
    const broken = { ...home.database, query: () => Promise.reject(new Error('away')) };
    const hub = createLiveHub({ database: broken, clock: systemClock, onFault: () => undefined });
    const one = watcher();
    await expect(hub.join(one)).rejects.toThrow('away');
    const limited = watcher();
    await expect(hub.join(limited)).rejects.toThrow('away');
    hub.close();
  });
});

describe('a line', () => {
  it('is dropped when nobody takes what is written', () => {
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

  it('says nothing more once it has ended', () => {
    const line = new PassThrough();
    const { notify, beat, end } = writerOf(line);
    notify(['claims', 'account']);
    beat();
    end();
    notify(['claims']);
    expect(String(line.read())).toBe('event: change\ndata: {"topics":["claims","account"]}\n\n:\n\n');
  });
});

describe('a repeated look', () => {
  it('looks anew for whoever asks while one is under way, once for all of them', async () => {
    const begun: Array<() => void> = [];
    const look = (): Promise<void> => new Promise((resolve) => begun.push(resolve));
    const looks = repeatLook({ look, everyMs: 1_000_000, onFault: () => undefined });
    const first = looks.soon();
    await Promise.resolve();
    expect(begun).toHaveLength(1);
    const [second, third] = [looks.soon(), looks.soon()];
    begun[0]?.();
    await first;
    await Promise.resolve();
    expect(begun).toHaveLength(2);
    begun[1]?.();
    await Promise.all([second, third]);
    expect(begun).toHaveLength(2);
  });

  it('goes on after one that failed', async () => {
    let looked = 0;
    const look = (): Promise<void> => {
      looked += 1;
      return looked === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
    };
    const faults: unknown[] = [];
    const looks = repeatLook({ look, everyMs: 1, onFault: (error) => faults.push(error) });
    looks.start();
    looks.start();
    await eventually('it looks again', () => looked > 3);
    looks.stop();
    expect(faults).toHaveLength(1);
    await expect(looks.soon()).resolves.toBeUndefined();
  });
});
