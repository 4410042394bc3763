import { describe, expect, test } from 'vitest';

import { jsonResponse } from './json-response.rules.ts';

describe('An answer', () => {
  test('has its members', () => {
    expect(jsonResponse(Buffer.from('{"code":21211,"text":"Zoë"}'))).toEqual({ code: 21_211, text: 'Zoë' });
  });

  test.each(['', '<html></html>', '[1]', '"text"', 'null', '{"a":'])('of %j is none', (text) => {
    expect(jsonResponse(Buffer.from(text))).toBeNull();
  });

  test('that did not come whole is none', () => {
    expect([jsonResponse(null), jsonResponse(undefined)]).toEqual([null, null]);
  });
});
