// The chart of a report: one measure, over time or by what the rows are split by.
import type { ReactNode } from 'react';

import type { Report, ReportMeasure } from '../../../src/reports/report.schema.ts';
import { Bars } from '../chart-section.tsx';
import { chartRows } from './chart-rows.ts';
import { valueInWords } from './words.ts';

const COLORS = ['accent.6', 'orange.6', 'blue.6', 'grape.6', 'yellow.6', 'gray.6'];

export function ReportChart({
  report,
  measure,
  name,
}: {
  readonly report: Report;
  readonly measure: ReportMeasure;
  /** What the measure is called here. */
  readonly name: string;
}): ReactNode {
  const { rows, series, isStacked } = chartRows(report, measure, name);
  return (
    <Bars
      data={rows}
      x="label"
      series={series.map((one, index) => ({ ...one, color: COLORS[index] ?? 'gray.6' }))}
      isStacked={isStacked}
      format={(value) => valueInWords(measure, value, report.currency)}
    />
  );
}
