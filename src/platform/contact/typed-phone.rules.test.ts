import { describe, expect, it } from 'vitest';

import { readTypedPhone } from './typed-phone.rules.ts';

describe('readTypedPhone', () => {
  it.each<readonly [string, string | null]>([
    ['(312) 554-0166', '+13125540166'],
    ['312 554 0166', '+13125540166'],
    ['312.554.0166', '+13125540166'],
    [' 3125540166 ', '+13125540166'],
    ['1-312-554-0166', '+13125540166'],
    ['+1 (312) 554-0166', '+13125540166'],
    ['+1/312/554/0166', '+13125540166'],
    ['312–554–0166', '+13125540166'],
    ['＋１ 312 554 0166', '+13125540166'],
    ['+44 20 7946 0958', '+442079460958'],
    ['00 44 20 7946 0958', '+442079460958'],
    ['011 44 20 7946 0958', '+442079460958'],
    ['011 1 312 554 0166', '+13125540166'],
    // Of which country is not known.
    ['020 7946 0958', null],
    ['554-0166', null],
    ['0166', null],
    ['', null],
    ['()', null],
    ['+', null],
    ['1+3125540166', null],
    ['312-CALL-NOW', null],
    ['a@example.com', null],
    ['9'.repeat(100_000), null],
  ])('reads %j as %s', (text, number) => {
    expect(readTypedPhone(text)).toBe(number);
  });
});
