import { describe, expect, it } from 'vitest';

import { createPermits } from './permits.ts';

const forEver = () => new AbortController().signal;

describe('Permits', () => {
  it('go to the caller that waits longest, and never to a caller that gave up', async () => {
    const permits = createPermits(1);
    const order: string[] = [];
    const note = async (name: string, signal: AbortSignal): Promise<void> => {
      order.push(`${name} ${await permits.take(signal)}`);
    };
    await note('first', forEver());
    const leaving = new AbortController();
    const others = [note('second', leaving.signal), note('third', forEver()), note('fourth', forEver())];
    leaving.abort();
    permits.giveBack();
    permits.giveBack();
    await Promise.all(others);
    expect(order).toEqual(['first true', 'second false', 'third true', 'fourth true']);
    expect(await permits.take(AbortSignal.abort())).toBe(false);
    permits.giveBack();
    expect(await permits.take(AbortSignal.abort())).toBe(true);
  });
});
