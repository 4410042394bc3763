import { describe, expect, it } from 'vitest';

import { wantsGzip } from './accept-encoding.rules.ts';

describe('gzip is wanted', () => {
  it.each([
    'gzip',
    'GZIP',
    'x-gzip',
    'gzip, deflate, br, zstd',
    'br;q=1.0, gzip;q=0.8, *;q=0.1',
    'gzip;q=0.001',
    ' deflate ,\tgzip ; q=1.000',
    '*',
    '*;q=0.5',
    'identity;q=0.5, gzip;q=0.5',
    'identity;q=0, *;q=0.1',
    'gzip;q=1, identity',
    ', ,gzip,',
  ])('by %j', (header) => {
    expect(wantsGzip(header)).toBe(true);
  });
});

describe('gzip is not wanted', () => {
  it.each([
    undefined,
    '',
    'identity',
    'br, deflate',
    'gzip;q=0',
    'gzip;q=0.000',
    'gzip;q=0, *',
    '*;q=0',
    'gzip;q=0.4, identity;q=0.5',
    'identity, *;q=0.5',
    'gzipped',
    'not gzip',
    'gzip;q=2',
    'gzip;q=-1',
    'gzip;level=9',
    'gzip;q',
    'gzip;q=0.1234',
  ])('by %j', (header) => {
    expect(wantsGzip(header)).toBe(false);
  });
});
