import { describe, expect, it } from 'vitest';

import { judgeStorage } from './storage.rules.ts';

describe('judgeStorage', () => {
  it.each([
    [80_000_000_000, 0o40700, { ok: true, detail: '/data: 80.0 GB free' }],
    [5_000_000_000, 0o40700, { ok: true, detail: '/data: 5.0 GB free' }],
    [4_940_000_000, 0o40700, { ok: true, warning: true, detail: '/data: 4.9 GB free' }],
    [400_000_000, 0o40700, { ok: false, detail: '/data: 0.4 GB free' }],
    [
      ...([80_000_000_000, 0o40750] as const),
      {
        ok: true,
        warning: true,
        detail: '/data: 80.0 GB free, other users of this machine may enter it (chmod 700 /data)',
      },
    ],
  ])('of %i bytes and mode %o', (freeBytes, mode, judged) => {
    expect(judgeStorage({ folder: '/data', freeBytes, mode })).toEqual(judged);
  });
});
