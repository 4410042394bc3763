import { Readable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { cellOf } from './csv-row.rules.ts';
import { newFindings } from './findings.ts';
import { readCsv } from './read-csv.ts';
import { readListRows } from './read-list-rows.ts';

const columns = { known: ['phone', 'soldAt', 'note'], required: ['phone'] };

async function read(text: string) {
  const findings = newFindings();
  const rows: string[][] = [];
  // In pieces of three bytes, so that no end of a line is in one.
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, index) =>
    bytes.subarray(3 * index, 3 * index + 3),
  );
  for await (const some of readCsv(Readable.from(pieces), columns, findings)) {
    rows.push(...some.map((row) => [String(row.line), ...columns.known.map((name) => cellOf(row, name))]));
  }
  return { rows, errors: findings.kept.map(({ line, column, message }) => `${line}:${column} ${message}`) };
}

describe('readCsv', () => {
  it.each([
    ['commas', 'phone,note\n1,a\n2,"b, c"\n'],
    ['semicolons', 'phone;note\r\n1;a\r\n2;b, c\r\n'],
    ['tabs', 'phone\tnote\n1\ta\n2\tb, c\n'],
    ['a line that names the separator', 'sep=;\r\nphone;note\r\n1;a\r\n2;b, c'],
    ['a quoted line that names it', '"sep=\t"\nphone\tnote\n1\ta\n2\tb, c'],
    ['lines that end with CR alone', 'phone;note\r1;a\r2;b, c\r'],
    ['a byte order mark', '\ufeffphone;note\n1;a\n2;b, c\n'],
    ['names in another case and with blanks', ' PHONE ;\u00a0Note\n1;a\n2;b, c\n'],
    ['names of other systems', 'Phone_Number;note\n1;a\n2;b, c\n'],
    ['empty columns at the end', 'phone;note;;\n1;a;;\n2;b, c\n'],
    ['invisible characters around cells', 'phone;note\n\u200b1;\u202aa\u202c\n2;b, c\ufeff\n'],
  ])('reads a file with %s', async (what, text) => {
    const { rows, errors } = await read(text);
    const from = what.includes('that names') ? 3 : 2;
    expect([errors, rows]).toEqual([
      [],
      [
        [String(from), '1', '', 'a'],
        [String(from + 1), '2', '', 'b, c'],
      ],
    ]);
  });

  it.each([
    ['phone,note\n1,a,x\n', '2:2 has 3 cells, the header has 2'],
    ['phone,note\n1\n', '2:1 has 1 cells, the header has 2'],
    ['phone,Phone\n1,2\n', '1:2 stands here for the second time'],
    ['phone|note\n1|2\n', /^1:1 is not known here/],
    ['phone,,note\n1,,2\n', '1:2 is a column without a name'],
    ['sep=;\n', /^1:1 is empty/],
  ])('rejects %j', async (text, error) => {
    const [first] = (await read(text)).errors;
    expect(first).toEqual(typeof error === 'string' ? error : expect.stringMatching(error));
  });
});

describe('readListRows of a file without a header', () => {
  async function entries(text: string, positions: readonly string[] | null): Promise<number | string[]> {
    const findings = newFindings();
    let found = 0;
    const list = { kind: 'phone', hashed: false, expiresAt: null, positions } as const;
    for await (const some of readListRows(Readable.from([text]), list, findings)) found += some.length;
    return findings.faults === 0
      ? found
      : findings.kept.map(({ line, path, message }) => `${line} ${path}: ${message}`);
  }

  it.each<readonly [string, string, readonly string[] | null, number]>([
    ['one column', '+15555550123\n5555550124\n', [], 2],
    ['area code and number', '212,5551234\n212,555-1235\n', [], 2],
    ['named columns', 'a;212;5551234;2027-01-01\nb;212;5551235;\n', ['-', 'area', 'number', 'expires'], 2],
    ['a header, with both columns', 'Area Code,Number\n212,5551234\n', null, 1],
    ['a country for each', '020 7946 0958,GB\n', ['phone', 'country'], 1],
  ])('reads %s', async (_, text, positions, expected) => {
    expect(await entries(text, positions)).toBe(expected);
  });

  it.each<readonly [string, readonly string[] | null, RegExp]>([
    ['+15555550123,x\n', [], /^1 : has 2 columns: name them .* --columns/],
    ['112,5551234\n212,55512345\n', ['area', 'number'], /^1 number: must be a phone number/],
    ['212\n', ['area', 'number'], /^1 : has 1 cells/],
    ['1,2\n', ['phone', 'other'], /^1 other: is not known here/],
  ])('rejects %j', async (text, positions, error) => {
    const [first] = (await entries(text, positions)) as string[];
    expect(first).toMatch(error);
  });
});
