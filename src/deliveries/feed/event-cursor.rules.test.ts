import { describe, expect, it } from 'vitest';

import { eventCursor, numberOfCursor } from './event-cursor.rules.ts';

describe('The cursor of a feed', () => {
  it.each([0, 1, 35, 36, 1000, 46_655, 2 ** 31, Number.MAX_SAFE_INTEGER])('decodes the cursor of %i', (number) => {
    const cursor = eventCursor('summit', number);
    expect(cursor).toMatch(/^evc_[0-9a-z]+$/);
    expect(numberOfCursor('summit', cursor)).toBe(number);
  });
});

const real = eventCursor('summit', 1234);

describe('a text that is no cursor', () => {
  it.each([
    ['nothing', ''],
    ['the prefix alone', 'evc_'],
    ['a number', '1234'],
    ['one of another partner', eventCursor('harbor', 1234)],
    ['one with another number', eventCursor('summit', 1235).slice(0, -6) + real.slice(-6)],
    ['one in capitals', real.toUpperCase()],
    ['one with a zero in front', real.replace('evc_', 'evc_0')],
    ['one with a blank', `${real} `],
    ['one cut off', real.slice(0, -1)],
    ['one with something behind', `${real}0`],
    ['a negative one', real.replace('evc_', 'evc_-')],
    ['a very long one', `evc_${'z'.repeat(400)}`],
    ['a delivery', 'dlv_01m7wyk0h2emp81qch4dvtyn6a'],
  ])('%s', (_, text) => {
    expect(numberOfCursor('summit', text)).toBeNull();
  });
});
