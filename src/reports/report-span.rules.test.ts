import { describe, expect, it } from 'vitest';

import { spansOf } from './report-span.rules.ts';

describe('the days of a named span', () => {
  // Still the last day of February in New York.
  const now = new Date('2026-03-01T02:00:00Z');
  it.each([
    ['today', 'UTC', '2026-03-01', '2026-03-01'],
    ['today', 'America/New_York', '2026-02-28', '2026-02-28'],
    ['yesterday', 'UTC', '2026-02-28', '2026-02-28'],
    ['last-7-days', 'UTC', '2026-02-23', '2026-03-01'],
    ['last-30-days', 'UTC', '2026-01-31', '2026-03-01'],
    ['last-90-days', 'UTC', '2025-12-02', '2026-03-01'],
    ['last-365-days', 'UTC', '2025-03-02', '2026-03-01'],
    ['this-month', 'UTC', '2026-03-01', '2026-03-01'],
    ['this-month', 'America/New_York', '2026-02-01', '2026-02-28'],
    ['last-month', 'UTC', '2026-02-01', '2026-02-28'],
    ['this-year', 'UTC', '2026-01-01', '2026-03-01'],
  ] as const)('%s in %s is %s to %s', (span, timeZone, from, until) => {
    const spans = spansOf({ span, timeZone }, now);
    expect('fault' in spans ? spans : [spans.span.firstDay, spans.span.lastDay]).toEqual([from, until]);
  });

  it('does not go together with days', () => {
    expect(spansOf({ span: 'today', until: '2026-03-01', timeZone: 'UTC' }, now)).toMatchObject({ field: 'span' });
  });
});
