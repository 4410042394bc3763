import { describe, expect, it } from 'vitest';

import { readCsv } from './csv-rows.ts';

/** All rows of a file that arrives in pieces of some bytes. */
async function rowsOf(text: string, pieceBytes = 1_000_000): Promise<string[][]> {
  const bytes = new TextEncoder().encode(text);
  const file = {
    size: bytes.length,
    stream: () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += pieceBytes) controller.enqueue(bytes.slice(at, at + pieceBytes));
          controller.close();
        },
      }),
  } as unknown as Blob;
  const rows: string[][] = [];
  let last = 0;
  for await (const piece of readCsv(file)) {
    rows.push(...piece.rows.map((row) => [...row]));
    last = piece.bytesRead;
  }
  expect(last).toBe(bytes.length);
  return rows;
}

const FILES: ReadonlyArray<readonly [what: string, text: string, rows: string[][]]> = [
  [
    'commas',
    'phone,expires\n+15555550123,2027-01-01\n',
    [
      ['phone', 'expires'],
      ['+15555550123', '2027-01-01'],
    ],
  ],
  ['a line that names the separator', 'sep=;\r\na,b;2\r\n', [['a,b', '2']]],
  [
    'semicolons',
    'a;b\r\n1;2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'tabs',
    'a\tb\r1\t2\r',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['quotes with separators, quotes and line breaks', '"a, b","c ""d""","e\nf"\n', [['a, b', 'c "d"', 'e\nf']]],
  ['one column and blank lines', 'x@example.com\n\n\ny@example.com', [['x@example.com'], ['y@example.com']]],
  ['a mark of the byte order, and letters beyond ASCII', '\u{feff}é,ü\n', [['é', 'ü']]],
  ['an empty last cell', 'a,\n', [['a', '']]],
  ['nothing', '', []],
];

describe('Reading a CSV file in the browser', () => {
  it.each(FILES)('reads %s', async (_, text, rows) => {
    expect(await rowsOf(text)).toEqual(rows);
  });

  it.each(FILES)('reads %s that arrives byte by byte', async (_, text, rows) => {
    expect(await rowsOf(text, 1)).toEqual(rows);
  });

  it('reads rows again after a quote that does not end', async () => {
    const rows = await rowsOf(`"${'x'.repeat(20_000)}\nlast\n`);
    expect(rows.at(-1)).toEqual(['last']);
  });
});
