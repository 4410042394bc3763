import { describe, expect, test } from 'vitest';

import { jsonAnswer } from './json-answer.rules.ts';

describe('An answer', () => {
  test('has its members', () => {
    expect(jsonAnswer(Buffer.from('{"code":21211,"text":"Zoë"}'))).toEqual({ code: 21_211, text: 'Zoë' });
  });

  test.each(['', '<html></html>', '[1]', '"text"', 'null', '{"a":'])('of %j is none', (text) => {
    expect(jsonAnswer(Buffer.from(text))).toBeNull();
  });

  test('that did not come whole is none', () => {
    expect([jsonAnswer(null), jsonAnswer(undefined)]).toEqual([null, null]);
  });
});
