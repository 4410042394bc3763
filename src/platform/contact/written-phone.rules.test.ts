import { describe, expect, it } from 'vitest';

import { readNationalPhone, readNorthAmerican, readPostedPhone, readWrittenPhone } from './written-phone.rules.ts';

const withExtension = (read: ReturnType<typeof readWrittenPhone>): string | null =>
  read === null ? null : read.number + (read.extension === null ? '' : ` ext ${read.extension}`);

describe('readWrittenPhone', () => {
  it.each<readonly [string, string | null]>([
    ['+13125540166', '+13125540166'],
    ['(312) 554-0166', '+13125540166'],
    ['312.554.0166', '+13125540166'],
    [' 3125540166 ', '+13125540166'],
    ['1-312-554-0166', '+13125540166'],
    ['+1/312/554/0166', '+13125540166'],
    ['312–554–0166', '+13125540166'],
    ['＋１ 312 554 0166', '+13125540166'],
    ['+44 20 7946 0958', '+442079460958'],
    ['(+44) 20 7946 0958', '+442079460958'],
    ['+44 (0) 20 7946 0958', '+442079460958'],
    ['00 44 20 7946 0958', '+442079460958'],
    ['011 44 20 7946 0958', '+442079460958'],
    ['011 1 312 554 0166', '+13125540166'],
    ['+41 44 555.00.00', '+41445550000'],
    // Decimals of software that took a number for an amount.
    ['2025550143.0', '+12025550143'],
    ['12025550143.00', '+12025550143'],
    ['+442079460958.0', '+442079460958'],
    ['1202555014.0', null],
    ['1202555014.3', null],
    ['1-202-555-014.0', null],
    // No country is made up, and no extension becomes a digit.
    ['41555510010', null],
    ['44 20 7946 0958', null],
    ['202-555-0143-4', null],
    ['2025550143 2', null],
    ['202-555-0143 / 2', null],
    ['1202555014 / 2', null],
    ['1 202 555 014 2', null],
    ['1202555014', null],
    ['0202555014', null],
    ['020 7946 0958', null],
    ['554-0166', null],
    ['', null],
    ['()', null],
    ['+', null],
    ['1+3125540166', null],
    ['312-CALL-NOW', null],
    ['2.025550143E9', null],
    ['a@example.com', null],
    ['9'.repeat(100_000), null],
    [`312554${' '.repeat(100_000)}0166`, null],
    // Extensions, in the ways of forms, contact books and RFC 3966.
    ['(312) 554-0166 ext. 4', '+13125540166 ext 4'],
    ['312-554-0166 x4', '+13125540166 ext 4'],
    ['312-554-0166x0412', '+13125540166 ext 0412'],
    ['312-554-0166 Extension: 77', '+13125540166 ext 77'],
    ['312-554-0166 (x4)', '+13125540166 ext 4'],
    ['312-554-0166 #4', '+13125540166 ext 4'],
    ['tel:+1-312-554-0166;ext=4', '+13125540166 ext 4'],
    ['TEL:3125540166', '+13125540166'],
    ['3125540166,,4', '+13125540166 ext 4'],
    ['+44 20 7946 0958;ext=12', '+442079460958 ext 12'],
    ['312-554-0166 x', null],
    ['312-554-0166 x12345678', null],
    ['554-0166 x4', null],
    // What contact books and chats put around and between digits.
    ['\u202a+13125540166\u202c', '+13125540166'],
    ['\u200e312 554 0166\u200b', '+13125540166'],
    ['+1\ufe0d\u00a0312\u2011554\u20110166', '+13125540166'],
    ['312\u2009554\u202f0166', '+13125540166'],
    ['+٤٤٢٠٧٩٤٦٠٩٥٨', '+442079460958'],
    ['312\u00b2554\u00b20166', null],
  ])('reads %j as %s', (text, expected) => {
    expect(withExtension(readWrittenPhone(text))).toBe(expected);
  });
});

describe('readPostedPhone', () => {
  it.each<readonly [string, string | null]>([
    ['+1 (312) 554-0166', '+13125540166'],
    ['+1 (312) 554-0166 ext. 4', '+13125540166 ext 4'],
    ['tel:+1-312-554-0166', '+13125540166'],
    ['\u202a+1 312 554 0166\u202c', '+13125540166'],
    ['3125540166', null],
    ['13125540166', null],
    ['0044 20 7946 0958', null],
  ])('reads %j as %s, with a plus only', (text, expected) => {
    expect(withExtension(readPostedPhone(text))).toBe(expected);
  });
});

describe('readNorthAmerican', () => {
  it.each<readonly [string, string | null]>([
    ['(312) 554-0166', '+13125540166'],
    ['+1 312 554 0166 x9', '+13125540166 ext 9'],
    ['+4791234567', null],
    ['4791234567', '+14791234567'],
    ['1202555014.0', null],
    ['00 1 312 554 0166', null],
  ])('reads %j as %s', (text, expected) => {
    expect(withExtension(readNorthAmerican(text))).toBe(expected);
  });
});

describe('readNationalPhone', () => {
  it.each([
    ['020 7946 0958', 'GB', '+442079460958'],
    ['030 901820', 'DE', '+4930901820'],
    ['4155551001', 'US', '+14155551001'],
    ['14155551001', 'US', '+14155551001'],
    ['41555510010', 'US', null],
    ['+4791234567', 'US', '+4791234567'],
    ['91 23 45 67', 'NO', '+4791234567'],
    ['12', 'DE', null],
  ] as const)('reads %j in %s as %s', (text, country, expected) => {
    expect(withExtension(readNationalPhone(text, country))).toBe(expected);
  });
});
