import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { newUuid } from '../../base/ids.ts';
import { boolArray, byteaArray, int2Array, int8Array, textArray, timestamptzArray, uuidArray } from './binary-array.ts';
import { statement } from './database.ts';

let base: TestDatabase;

beforeAll(async () => {
  base = await createTestDatabase();
});

afterAll(() => base.drop());

/** What the server reads in the array, each item in its own spelling. */
async function spelled(type: string, array: Buffer): Promise<Array<string | null>> {
  const echo = statement<{ readonly items: Buffer }, { item: string | null }>(
    `test.echo_${type}`,
    `SELECT item::text FROM unnest($items::${type}[]) WITH ORDINALITY AS u (item, nr) ORDER BY nr`,
  );
  const rows = await base.database.query(echo, { items: array });
  return rows.map((row) => row.item);
}

describe('A binary array is read by PostgreSQL as sent, with', () => {
  it('UUIDs', async () => {
    const items = [
      newUuid(),
      null,
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      newUuid(),
    ];
    expect(await spelled('uuid', uuidArray(items))).toEqual(items);
  });

  it('texts of every width', async () => {
    const items = ['', 'plain', null, 'Zoë', '漢字', '🙂', 'a"b\\c\n', 'x'.repeat(100_000), 'é'.repeat(70_000)];
    expect(await spelled('text', textArray(items))).toEqual(items);
  });

  it('integers of eight bytes, from numbers and from texts', async () => {
    const numbers = [0, 1, -1, null, 2 ** 32, -(2 ** 32), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    expect(await spelled('int8', int8Array(numbers))).toEqual(numbers.map((item) => item?.toString() ?? null));
    const texts = ['9223372036854775807', null, '-9223372036854775808', '0', '-1'];
    expect(await spelled('int8', int8Array(texts))).toEqual(texts);
  });

  it('bytes', async () => {
    const items = [randomBytes(32).toString('latin1'), null, '', '\0ÿ'];
    const hex = items.map((item) => (item === null ? null : `\\x${Buffer.from(item, 'latin1').toString('hex')}`));
    expect(await spelled('bytea', byteaArray(items))).toEqual(hex);
  });

  it('instants before and after the epochs of both sides', async () => {
    const texts = [
      '2026-11-20T12:34:56.789Z',
      '1999-12-31T23:59:59.999Z',
      '2000-01-01T00:00:00.000Z',
      '1969-12-31T00:00:00.001Z',
      '2099-12-31T23:59:59.999Z',
    ];
    const rows = await base.database.query(
      statement<{ readonly instants: Buffer }, { item: Date | null }>(
        'test.instants',
        'SELECT item FROM unnest($instants::timestamptz[]) WITH ORDINALITY AS u (item, nr) ORDER BY nr',
      ),
      { instants: timestamptzArray([...texts.map((text) => new Date(text)), null]) },
    );
    expect(rows.map((row) => row.item?.toISOString() ?? null)).toEqual([...texts, null]);
  });

  it('booleans and whole numbers', async () => {
    expect(await spelled('bool', boolArray([true, false, null]))).toEqual(['true', 'false', null]);
    expect(await spelled('int2', int2Array([0, -32_768, 32_767, null]))).toEqual(['0', '-32768', '32767', null]);
  });

  it('no items', async () => {
    expect(await spelled('uuid', uuidArray([]))).toEqual([]);
    expect(await spelled('text', textArray([]))).toEqual([]);
  });
});
