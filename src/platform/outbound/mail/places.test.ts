import { expect, it } from 'vitest';

import { createPlaces } from './places.ts';

const forEver = () => new AbortController().signal;

it('gives places to those who wait longest, and none to who gave up', async () => {
  const places = createPlaces(1);
  const order: string[] = [];
  const note = async (name: string, signal: AbortSignal): Promise<void> => {
    order.push(`${name} ${await places.take(signal)}`);
  };
  await note('first', forEver());
  const leaving = new AbortController();
  const others = [note('second', leaving.signal), note('third', forEver()), note('fourth', forEver())];
  leaving.abort();
  places.giveBack();
  places.giveBack();
  await Promise.all(others);
  expect(order).toEqual(['first true', 'second false', 'third true', 'fourth true']);
  expect(await places.take(AbortSignal.abort())).toBe(false);
  places.giveBack();
  expect(await places.take(AbortSignal.abort())).toBe(true);
});
