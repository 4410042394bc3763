import { describe, expect, it } from 'vitest';

import { judgeEngine } from './engine-age.rules.ts';

const OLDEST = 'the oldest version that is supported';

describe('judgeEngine', () => {
  it.each([
    // Version, day, ok, warning, detail.
    [140_022, '2026-11-28', false, false, 'PostgreSQL 14.22: too old, 15 or newer is needed'],
    [150_018, '2026-11-28', true, false, `PostgreSQL 15.18, maintained until November 2027, ${OLDEST}`],
    [150_022, '2027-05-31', true, false, `PostgreSQL 15.22, maintained until November 2027, ${OLDEST}`],
    [
      150_022,
      '2027-06-01',
      true,
      true,
      `PostgreSQL 15.22, maintained until November 2027, ${OLDEST}, plan the upgrade to 18`,
    ],
    [
      150_023,
      '2027-11-30',
      true,
      true,
      `PostgreSQL 15.23, maintained until November 2027, ${OLDEST}, plan the upgrade to 18`,
    ],
    [
      ...([150_030, '2027-12-01', true, true] as const),
      `PostgreSQL 15.30, not maintained since the end of November 2027, ${OLDEST}, plan the upgrade to 18`,
    ],
    [160_015, '2026-11-28', true, false, 'PostgreSQL 16.15, maintained until November 2028'],
    [170_011, '2026-11-28', true, false, 'PostgreSQL 17.11, maintained until November 2029'],
    [180_005, '2026-11-28', true, false, 'PostgreSQL 18.5, maintained until November 2030'],
    // The schedule's releases of 18: November 2025 and every third month from then on, known from the 15th.
    [180_000, '2025-11-14', true, false, 'PostgreSQL 18.0, maintained until November 2030'],
    [
      180_000,
      '2025-11-15',
      true,
      false,
      'PostgreSQL 18.0, maintained until November 2030, at least 1 release with fixes behind',
    ],
    [
      180_000,
      '2026-02-14',
      true,
      false,
      'PostgreSQL 18.0, maintained until November 2030, at least 1 release with fixes behind',
    ],
    [
      180_000,
      '2026-02-15',
      true,
      false,
      'PostgreSQL 18.0, maintained until November 2030, at least 2 releases with fixes behind',
    ],
    [
      180_004,
      '2026-11-28',
      true,
      false,
      'PostgreSQL 18.4, maintained until November 2030, at least 1 release with fixes behind',
    ],
    [
      180_001,
      '2026-11-28',
      true,
      true,
      'PostgreSQL 18.1, maintained until November 2030, at least 4 releases with fixes behind',
    ],
    [
      180_002,
      '2026-11-28',
      true,
      false,
      'PostgreSQL 18.2, maintained until November 2030, at least 3 releases with fixes behind',
    ],
    [190_000, '2026-11-28', true, true, 'PostgreSQL 19.0: newer than what this release was tried with, 15 to 18'],
  ] as const)('of %i on %s', (version, day, ok, warning, detail) => {
    expect(judgeEngine(version, new Date(`${day}T12:00:00Z`))).toEqual({ ok, warning, detail });
  });
});
