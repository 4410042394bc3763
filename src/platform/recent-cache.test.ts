import { describe, expect, it } from 'vitest';

import { createRecentCache } from './recent-cache.ts';

describe('the cache of recent values', () => {
  it('holds as many values as it may, and drops the one that was not used for the longest', () => {
    const cache = createRecentCache<number>(3);
    for (const value of [1, 2, 3]) cache.set(String(value), value);
    expect(cache.get('1')).toBe(1);
    cache.set('4', 4);
    expect(cache.size).toBe(3);
    expect(['1', '2', '3', '4'].map((key) => cache.get(key))).toEqual([1, undefined, 3, 4]);
  });

  it('replaces a value without dropping another, and forgets what is deleted', () => {
    const cache = createRecentCache<number>(2);
    cache.set('one', 1);
    cache.set('two', 2);
    cache.set('two', 22);
    expect([cache.get('one'), cache.get('two')]).toEqual([1, 22]);
    cache.delete('one');
    cache.set('three', 3);
    expect([cache.size, cache.get('one'), cache.get('two'), cache.get('three')]).toEqual([2, undefined, 22, 3]);
  });

  it('keeps to its bound and its order under many random uses', () => {
    const cache = createRecentCache<number>(50);
    let recent: number[] = [];
    let state = 7;
    for (let turn = 0; turn < 5000; turn += 1) {
      state = (state * 48_271) % 2_147_483_647;
      const key = state % 120;
      if (cache.get(String(key)) === undefined) cache.set(String(key), key);
      recent = [key, ...recent.filter((one) => one !== key)].slice(0, 50);
    }
    expect([...cache.keys()].map(Number)).toEqual(recent);
  });
});
