import { AsyncLocalStorage } from 'node:async_hooks';

import { describe, expect, it } from 'vitest';

import { oneAtATime } from './one-at-a-time.ts';

describe('oneAtATime', () => {
  it('starts each task after the one before has ended, in the order of the calls', async () => {
    const run = oneAtATime();
    const seen: string[] = [];
    const piece = (name: string, turns: number) => async (): Promise<string> => {
      seen.push(`${name} starts`);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      seen.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([run('me', piece('a', 5)), run('me', piece('b', 1)), run('me', piece('c', 0))])).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(seen).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  it('takes owners in turns, however many tasks one of them has', async () => {
    const run = oneAtATime();
    const seen: string[] = [];
    const piece = (name: string) => async (): Promise<void> => {
      await Promise.resolve();
      seen.push(name);
    };
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => run(name.slice(0, 1), piece(name)));
    await Promise.all(all);
    expect(seen).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('runs each task in the async context of its own caller, on which row-level security depends', async () => {
    const run = oneAtATime();
    const tenant = new AsyncLocalStorage<string>();
    const seen = (owner: string) => tenant.run(owner, () => run(owner, () => Promise.resolve(tenant.getStore())));
    expect(await Promise.all(['a', 'b', 'a', 'c', 'b'].map(seen))).toEqual(['a', 'b', 'a', 'c', 'b']);
  });

  it('rejects a failed task to its own caller and goes on with the next', async () => {
    const run = oneAtATime();
    const failed = run('me', () => Promise.reject(new Error('broken')));
    const next = run('me', () => Promise.resolve('well'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('well');
  });
});
