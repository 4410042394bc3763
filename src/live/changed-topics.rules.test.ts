import { describe, expect, it } from 'vitest';

import { changedTopics } from './changed-topics.rules.ts';

describe('changedTopics', () => {
  it.each([
    [{ a: '1', b: '2' }, { a: '1', b: '2' }, []],
    [{ a: '1', b: '2' }, { a: '1', b: '3' }, ['b']],
    [{ a: '1' }, { a: '2', b: '' }, ['a', 'b']],
    [{}, {}, []],
  ])('from %j to %j returns %j', (before, after, topics) => {
    expect(changedTopics(before, after)).toEqual(topics);
  });
});
