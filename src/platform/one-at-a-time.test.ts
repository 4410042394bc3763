import { describe, expect, it } from 'vitest';

import { oneAtATime } from './one-at-a-time.ts';

describe('oneAtATime', () => {
  it('starts each piece of work after the one before has ended, in the order of the calls', async () => {
    const run = oneAtATime();
    const seen: string[] = [];
    const piece = (name: string, turns: number) => async (): Promise<string> => {
      seen.push(`${name} starts`);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      seen.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([run(piece('a', 5)), run(piece('b', 1)), run(piece('c', 0))])).toEqual(['a', 'b', 'c']);
    expect(seen).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  it('passes a failure to its own caller and goes on with the next', async () => {
    const run = oneAtATime();
    const failed = run(() => Promise.reject(new Error('broken')));
    const next = run(() => Promise.resolve('well'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('well');
  });
});
