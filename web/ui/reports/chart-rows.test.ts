import { describe, expect, it } from 'vitest';

import type { Report } from '../../../src/reports/report.schema.ts';
import { chartRows } from './chart-rows.ts';

const report = (part: Partial<Report>): Report => ({
  ...{ from: '2026-11-18', until: '2026-11-21', timeZone: 'UTC', currency: 'USD', asOf: '', isComplete: true },
  ...{ before: null, dimensions: [], measures: ['revenue'], rows: [], isCut: false, totals: {}, totalsBefore: null },
  ...part,
});
const labels = (of: Report): unknown[] => chartRows(of, 'revenue', 'Revenue').rows.map(({ label }) => label);

describe('the bars of a report', () => {
  it('have a gap for a day without a row', () => {
    const rows = [
      { keys: ['2026-11-18'], values: { revenue: 5 } },
      { keys: ['2026-11-20'], values: { revenue: 7 } },
    ];
    const { rows: bars } = chartRows(report({ dimensions: ['day'], rows }), 'revenue', 'Revenue');
    expect(bars.map(({ now }) => now)).toEqual([5, 0, 7, 0]);
    expect(bars[1]).toEqual({ label: 'Nov 19, 2026', now: 0 });
  });

  it('have a gap in stacks as well', () => {
    const rows = [
      { keys: ['2026-11-18', 'acme'], values: { revenue: 5 } },
      { keys: ['2026-11-20', 'zenith'], values: { revenue: 7 } },
    ];
    const names = { supplier: { acme: 'Acme Media' } };
    const chart = chartRows(report({ dimensions: ['day', 'supplier'], rows, names }), 'revenue', 'Revenue');
    expect(chart.series.map(({ label }) => label)).toEqual(['zenith', 'Acme Media']);
    expect(chart.rows.map(({ part0 = 0, part1 = 0 }) => [part0, part1])).toEqual([
      [0, 5],
      [0, 0],
      [7, 0],
      [0, 0],
    ]);
  });

  it('stand for the weeks and months that the days touch', () => {
    expect(labels(report({ dimensions: ['week'], until: '2026-11-23' }))).toEqual([
      'Week of Nov 16, 2026',
      'Week of Nov 23, 2026',
    ]);
    expect(labels(report({ dimensions: ['month'], from: '2026-10-31', until: '2027-01-01' }))).toEqual([
      'Oct 2026',
      'Nov 2026',
      'Dec 2026',
      'Jan 2027',
    ]);
  });

  it('are the latest days of more than a year', () => {
    const days = labels(report({ dimensions: ['day'], from: '2025-01-01', until: '2026-11-20' }));
    expect([days.length, days.at(-1)]).toEqual([366, 'Nov 20, 2026']);
  });

  it('are the rows as they come where the first dimension is no time', () => {
    const rows = [
      { keys: ['zenith'], values: { revenue: 7 } },
      { keys: [null], values: { revenue: 5 } },
    ];
    expect(labels(report({ dimensions: ['supplier'], rows }))).toEqual(['zenith', '(none)']);
  });
});
