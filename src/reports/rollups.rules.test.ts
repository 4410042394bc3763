import { describe, expect, it } from 'vitest';

import { planReport } from './rollups.rules.ts';
import { spansOf } from './report-span.rules.ts';

function plan(used: Parameters<typeof planReport>[0]['used'], from: string, until: string, timeZone = 'UTC') {
  const spans = spansOf({ from, until, timeZone }, new Date('2026-11-20T00:00:00Z'));
  if ('fault' in spans) throw new Error(spans.fault);
  return planReport({ used, span: spans.span, timeZone, cellZone: 'UTC' });
}

describe('planReport', () => {
  it('covers a span by the longest cells that fit', () => {
    expect(plan(['supplier', 'offer'], '2026-01-24', '2026-03-07')).toEqual({
      kind: 'cells',
      rollup: 7,
      isLocal: true,
      runs: [
        { level: 'day', from: '2026-01-24', until: '2026-01-26' },
        { level: 'part', from: '2026-01-26', until: '2026-02-01' },
        { level: 'month', from: '2026-02-01', until: '2026-03-01' },
        { level: 'part', from: '2026-03-01', until: '2026-03-06' },
        { level: 'day', from: '2026-03-06', until: '2026-03-08' },
      ],
    });
  });

  it.each([
    ['days by days', ['day', 'partner'], 'UTC', { rollup: 2, runs: [{ level: 'day' }] }],
    ['weeks by days', ['week', 'supplier', 'campaign'], 'UTC', { rollup: 4, runs: [{ level: 'day' }] }],
    ['hours by hours', ['hour', 'supplier'], 'UTC', { rollup: 1, runs: [{ level: 'hour' }] }],
    ['days of another zone by hours', ['day', 'partner'], 'America/New_York', { rollup: 2, isLocal: false }],
    ['days of a zone of half hours from the facts', ['day', 'partner'], 'Asia/Kolkata', { kind: 'facts' }],
    ['a zone of half hours in summer from the facts', ['supplier'], 'Australia/Lord_Howe', { kind: 'facts' }],
    ['dimensions that no roll-up has from the facts', ['campaign', 'state'], 'UTC', { kind: 'facts' }],
  ] as const)('reads %s', (_case, used, timeZone, expected) => {
    expect(plan(used, '2026-01-01', '2026-12-31', timeZone)).toMatchObject(expected);
  });
});
