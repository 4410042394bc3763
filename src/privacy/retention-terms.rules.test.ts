import { describe, expect, it } from 'vitest';

import { defaultSettings } from '../marketplace/settings.ts';
import { oldBefore, retentionSteps } from './retention-terms.rules.ts';

const now = new Date('2026-11-20T12:00:00.000Z');

describe('The retention limits', () => {
  it.each([
    ['leads', null],
    ['raw-bodies', '2026-08-22T12:00:00.000Z'],
    ['snippets', '2026-10-21T12:00:00.000Z'],
    ['attempts', '2025-10-16T12:00:00.000Z'],
    ['callbacks', '2025-10-16T12:00:00.000Z'],
    ['decisions', '2025-10-16T12:00:00.000Z'],
    ['outages', '2025-10-16T12:00:00.000Z'],
    ['counters', '2026-09-19T12:00:00.000Z'],
    ['persons', '2026-09-21T12:00:00.000Z'],
    ['consents', '2021-11-16T12:00:00.000Z'],
  ] as const)('by default end for %s at %s', (step, before) => {
    expect(oldBefore(step, defaultSettings, now)?.toISOString() ?? null).toBe(before);
  });

  it('keep hashes of sold contacts as long as duplicates are detected', () => {
    const settings = { ...defaultSettings, dedupDays: 90 };
    expect(oldBefore('persons', settings, now)?.toISOString()).toBe('2026-08-22T12:00:00.000Z');
  });

  it('expire only counters if everything is kept forever', () => {
    const retention = {
      leadDays: null,
      rawBodyDays: null,
      snippetDays: null,
      attemptDays: null,
      decisionDays: null,
      personDays: null,
      consentYears: null,
    };
    const old = retentionSteps.filter((step) => oldBefore(step, { ...defaultSettings, retention }, now) !== null);
    expect(old).toEqual(['counters']);
  });
});
