import { setImmediate } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bumpConfigVersion } from '../../src/marketplace/config-version.ts';
import { createConfigWatch, type ConfigWatch } from '../../src/marketplace/config-watch.ts';
import { readSettings } from '../../src/marketplace/stored-settings.ts';
import type { Query } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const bump = (): Promise<number> => home.database.tx((tx) => bumpConfigVersion(tx));
const unexpected = (error: unknown): never => {
  throw error;
};

/** A watch that polls only when a test starts it. */
function idleWatch(): ConfigWatch {
  return createConfigWatch({ database: home.database, onFault: unexpected, intervalMs: 2_000_000_000 });
}

describe('a watch on the configuration', () => {
  it('notices changes of another process by itself', async () => {
    const watch = createConfigWatch({ database: home.database, onFault: unexpected, intervalMs: 5 });
    const seen: number[] = [];
    let resolve: (version: number) => void = () => {};
    watch.onChange((version) => {
      seen.push(version);
      resolve(version);
    });
    const first = await watch.refresh();
    const noticed = new Promise<number>((settle) => (resolve = settle));
    const changed = await bump();
    expect(await noticed).toBe(changed);
    expect(watch.version()).toBe(changed);
    expect(seen).toEqual([first, changed]);
    await watch.close();
  });

  it('calls a listener once per version, and waits for it', async () => {
    const watch = idleWatch();
    expect(watch.version()).toBe(0);
    const seen: number[] = [];
    watch.onChange(async (version) => {
      await setImmediate();
      seen.push(version);
    });
    const first = await watch.refresh();
    expect(seen).toEqual([first]);
    await watch.refresh();
    const next = await bump();
    await Promise.all([watch.refresh(), watch.refresh()]);
    expect(seen).toEqual([first, next]);
    await watch.close();
  });

  it('calls only a failed listener again', async () => {
    const watch = idleWatch();
    let failures = 1;
    const calls: string[] = [];
    watch.onChange(() => {
      calls.push('shaky');
      failures -= 1;
      if (failures >= 0) throw new Error('not now');
    });
    watch.onChange(() => void calls.push('steady'));
    await expect(watch.refresh()).rejects.toThrow('not now');
    await watch.refresh();
    await watch.refresh();
    expect(calls).toEqual(['shaky', 'steady', 'shaky']);
    await watch.close();
  });

  it('reports a failed poll and continues polling', async () => {
    const faults: unknown[] = [];
    let isDown = true;
    const query: Query = (statement, ...params) =>
      isDown ? Promise.reject(new Error('storage is gone')) : home.database.query(statement, ...params);
    const up = new Promise<number>((resolve) => {
      const watch = createConfigWatch({
        database: { query },
        intervalMs: 1,
        onFault(error) {
          faults.push(error);
          isDown = faults.length < 3;
        },
      });
      watch.onChange((version) => {
        void watch.close();
        resolve(version);
      });
    });
    expect(await up).toBe((await readSettings(home.database)).version);
    expect(faults).toEqual([1, 2, 3].map(() => new Error('storage is gone')));
  });

  it('sees a change in a refresh requested after it, even while an older poll runs', async () => {
    const watch = idleWatch();
    const older = watch.refresh();
    const changed = await bump();
    expect(await watch.refresh()).toBe(changed);
    await older;
    await watch.close();
  });
});

describe('the version of the configuration', () => {
  it('is locked from the change to its commit', async () => {
    const order: string[] = [];
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = home.database.tx(async (tx) => {
      const version = await bumpConfigVersion(tx);
      order.push('first');
      await held;
      order.push('first ends');
      return version;
    });
    while (order.length === 0) await setImmediate();
    const quick = home.database.tx(async (tx) => {
      const version = await bumpConfigVersion(tx);
      order.push('second');
      return version;
    });
    release();
    expect(await quick).toBe((await slow) + 1);
    expect(order).toEqual(['first', 'first ends', 'second']);
  });
});
