import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type Cell, columnNames } from '../delivery-columns.rules.ts';
import { csvFileName, csvHeader, csvLine, filterInFileName, escapeFormula } from './export-csv.rules.ts';

const NAME = columnNames.indexOf('fullName');
const PAYOUT = columnNames.indexOf('payout');
const empty: readonly Cell[] = columnNames.map(() => null);

describe('A harmless text in the CSV export', () => {
  it.each([
    'Jordan Rivera',
    ' Jordan',
    '',
    ' ',
    'a=1',
    'a-b',
    'a@b.example',
    "'=1",
    '"=1"',
    '(=1)',
    '#=1',
    '/=1',
    '+15555550123',
    '+442079460958',
    '+1234567',
    '+123456789012345',
    '0',
    '-1',
    '-12.50',
    '42',
    '1.5',
    '−5',
    '李',
    '😀',
    '\u200bJordan',
    '2026-11-20T17:03:12.418Z',
    'https://forms.example.com/?a=1&b=+2',
  ])('%j', (text) => {
    expect(escapeFormula(text)).toBe(text);
  });
});

describe('A formula in the CSV export is escaped', () => {
  it.each([
    '=1+1',
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("https://x.example","y")',
    '+1+1',
    '+SUM(A1)',
    '-1+1',
    '-A1',
    '@SUM(A1)',
    '\tJordan',
    '\rJordan',
    '\nJordan',
    ' =1',
    '   +x',
    '\u00a0=1',
    '\u3000-x',
    '\ufeff=1',
    '\u200b=1',
    '\u2800@x',
    '\u0000=1',
    '\u0001+x',
    '\v=1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '﹦1',
    '﹢1',
    '﹣1',
    '﹫x',
    ' ＝1',
    '+',
    '-',
    '=',
    '@',
    '--1',
    '-1.',
    '-.5',
    '-1e5',
    '+0123456789',
    '+123456',
    '+1234567890123456',
    '+1555-555-0123',
    '+15555550123 ',
    '+15555550123=1',
    '+15555550123\n',
    '-1\n',
  ])('%j', (text) => {
    expect(escapeFormula(text)).toBe(`'${text}`);
  });
});

describe('A formula after a separator in the CSV export', () => {
  it.each([
    ["Foo;=1+cmd|' /C calc'!A0", "Foo;'=1+cmd|' /C calc'!A0"],
    ['Bob\r\n=1+1', "Bob\r\n'=1+1"],
    ['Bob\r=1', "Bob\r'=1"],
    ['Bob\n@SUM(A1)', "Bob\n'@SUM(A1)"],
    ['a\t-A1', "a\t'-A1"],
    ['a; +x', "a;' +x"],
    ['a;\u200b＝1', "a;'\u200b＝1"],
    ['a;=1;=2;b', "a;'=1;'=2;b"],
    ['\t=1', "'\t'=1"],
    ['-1\r\n=1', "'-1\r\n'=1"],
    ['a;+15555550123x', "a;'+15555550123x"],
    ['a;-', "a;'-"],
    // No formula.
    ['a;+15555550123', 'a;+15555550123'],
    ['a;-1.5\nb', 'a;-1.5\nb'],
    ['a;b=1', 'a;b=1'],
    ['a;', 'a;'],
  ])('is escaped: %j as %j', (text, marked) => {
    expect(escapeFormula(text)).toBe(marked);
  });

  it('is escaped in any text and at any separator', () => {
    const unit = fc.constantFrom(';', '\t', '\r', '\n', ' ', '=', '+', '-', '@', '＝', "'", 'a', '1', '.', '\u200b');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const written = escapeFormula(text);
        for (const cell of written.split(/[;\t\r\n]/)) {
          if (/^(?:\+[1-9]\d{6,14}|-?\d+(?:\.\d+)?)$/.test(cell)) continue;
          expect(cell).not.toMatch(/^[\s\u200b]*[=+\-@＝]/u);
        }
        // Marks are all that was added.
        expect(written.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('A line of the CSV export', () => {
  const lineOf = (index: number, cell: Cell): string => csvLine(empty.with(index, cell));

  it('has a cell for every column, and ends with CRLF', () => {
    expect(csvLine(empty)).toBe(`${','.repeat(21)}\r\n`);
    expect(csvHeader()).toBe(`${columnNames.join(',')}\r\n`);
  });

  it.each<readonly [Cell, string]>([
    ['Jordan Rivera', 'Jordan Rivera'],
    ['Rivera, Jordan', '"Rivera, Jordan"'],
    ['Jordan "Jo" Rivera', '"Jordan ""Jo"" Rivera"'],
    ['two\nlines', '"two\nlines"'],
    ['two\rlines', '"two\rlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' blanks ', ' blanks '],
    ['=1+1', "'=1+1"],
    ['=A1,"x"', `"'=A1,""x"""`],
    ['a;b|c\td', 'a;b|c\td'],
    [true, 'true'],
    [false, 'false'],
    [null, ''],
    ['', ''],
  ])('writes %j as %j', (cell, text) => {
    expect(lineOf(NAME, cell)).toBe(`${','.repeat(NAME)}${text}${','.repeat(21 - NAME)}\r\n`);
  });

  it.each([
    [0, '0.00'],
    [45, '45.00'],
    [40.5, '40.50'],
    [0.29, '0.29'],
    [1.01, '1.01'],
    [999_999_999.99, '999999999.99'],
  ])('writes an amount of %d as %s', (amount, text) => {
    expect(lineOf(PAYOUT, amount)).toContain(`,${text},`);
  });

  it('is read back unchanged by a parser of RFC 4180', () => {
    const special = fc.constantFrom(
      '"',
      ',',
      '\r',
      '\n',
      '\r\n',
      "'",
      '=',
      '+',
      '-',
      '@',
      '\t',
      ' ',
      ';',
      '＝',
      '\u2028',
      '\ufeff',
      'é',
      '😀',
      'a',
      '1',
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(special, { maxLength: 8 }).map((parts) => parts.join('')),
    );
    const cell = fc.oneof(
      { arbitrary: text, weight: 8 },
      { arbitrary: fc.boolean(), weight: 1 },
      { arbitrary: fc.constant(null), weight: 1 },
    );
    const row = fc.array(cell, { minLength: columnNames.length, maxLength: columnNames.length });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const file = csvHeader() + rows.map((cells) => csvLine(cells)).join('');
        const read: string[][] = parse(file, { record_delimiter: '\r\n' });
        expect(read[0]).toEqual(columnNames);
        const expected = rows.map((cells) =>
          cells.map((value) => (typeof value === 'string' ? escapeFormula(value) : String(value ?? ''))),
        );
        expect(read.slice(1)).toEqual(expected);
        // The mark is all that was ever added, and no cell begins with what a spreadsheet runs.
        for (const value of read.slice(1).flat()) {
          expect(value).not.toMatch(/^\s*[=@＝＋－＠]|^[\t\r\n]/u);
          if (/^\s*[+-]/u.test(value)) expect(value).toMatch(/^(?:\+[1-9]\d{6,14}|-\d+(?:\.\d+)?)$/);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('The name of the CSV file', () => {
  const today = '2026-11-20';
  it.each<readonly [string, string | null, string | null]>([
    ['deliveries_2026-11-01_2026-11-15.csv', '2026-11-01', '2026-11-15'],
    ['deliveries_2026-11-01_2026-11-20.csv', '2026-11-01', null],
    ['deliveries_until_2026-11-15.csv', null, '2026-11-15'],
    ['deliveries_until_2026-11-20.csv', null, null],
    ['deliveries_2030-01-01_2030-01-01.csv', '2030-01-01', null],
  ])('%s', (name, first, last) => {
    expect(csvFileName({ first, last, today })).toBe(name);
  });

  it('names the filters, and never the search text', () => {
    expect(filterInFileName({ status: null, eventType: null, isSearch: false })).toEqual([]);
    const further = filterInFileName({ status: 'Confirmed', eventType: 'Lead Sale', isSearch: true });
    expect(csvFileName({ first: null, last: null, today, further: [...further, '4-rows'] })).toBe(
      'deliveries_until_2026-11-20_confirmed_lead-sale_search_4-rows.csv',
    );
  });
});
