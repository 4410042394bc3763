// Unpacks the font in a WOFF file, whose tables are compressed one by one: a font library would unpack them for each glyph again.
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

const inflated = promisify(inflate);

const HEAD = { woff: 44, sfnt: 12 };
const ENTRY = { woff: 20, sfnt: 16 };

/** Bytes that are no WOFF file are returned as they are. */
export async function sfntOfWoff(woff: Buffer): Promise<Buffer> {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') return woff;
  const count = woff.readUInt16BE(12);
  const entries = Array.from({ length: count }, (_, index) => HEAD.woff + index * ENTRY.woff);
  const tables = await Promise.all(
    entries.map(async (at) => {
      const [offset, packed, length] = [
        woff.readUInt32BE(at + 4),
        woff.readUInt32BE(at + 8),
        woff.readUInt32BE(at + 12),
      ];
      const bytes = woff.subarray(offset, offset + packed);
      return packed === length ? bytes : await inflated(bytes);
    }),
  );
  const aligned = (length: number): number => (length + 3) & ~3;
  let end = HEAD.sfnt + count * ENTRY.sfnt;
  const sfnt = Buffer.alloc(tables.reduce((sum, { length }) => sum + aligned(length), end));
  // The version is the same; a reader needs no search hints.
  woff.copy(sfnt, 0, 4, 8);
  sfnt.writeUInt16BE(count, 4);
  for (const [index, table] of tables.entries()) {
    const [from, to] = [HEAD.woff + index * ENTRY.woff, HEAD.sfnt + index * ENTRY.sfnt];
    woff.copy(sfnt, to, from, from + 4);
    woff.copy(sfnt, to + 4, from + 16, from + 20);
    sfnt.writeUInt32BE(end, to + 8);
    sfnt.writeUInt32BE(table.length, to + 12);
    table.copy(sfnt, end);
    end += aligned(table.length);
  }
  return sfnt;
}
