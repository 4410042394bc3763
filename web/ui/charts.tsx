// The charts, in a chunk of their own: import this file only through `lazyPart`.
import '@mantine/charts/styles.css';

import { BarChart, LineChart } from '@mantine/charts';
import type { ReactNode } from 'react';

export type Series = { readonly name: string; readonly label: string; readonly color: string };

/** Per row of `data` one bar with the series stacked, or with `isStacked: false` one bar per series; `x` is the member with the row's label. */
export function Bars({
  data,
  x,
  series,
  format,
  isStacked = true,
  axisPx = 0,
}: {
  readonly data: ReadonlyArray<Readonly<Record<string, string | number>>>;
  readonly x: string;
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  readonly isStacked?: boolean;
  /** The least width of the axis, so that the bars stand below those of another chart. */
  readonly axisPx?: number;
}): ReactNode {
  return (
    <BarChart
      h="100%"
      data={data.map((row) => ({ ...row }))}
      dataKey={x}
      series={series.map((one) => ({ ...one }))}
      type={isStacked ? 'stacked' : 'default'}
      withLegend={series.length > 1}
      barProps={{ isAnimationActive: false }}
      yAxisProps={{ width: Math.max(axisPx, axisWidth(data, series, format)), allowDecimals: !areWhole(data, series) }}
      {...(format === undefined ? {} : { valueFormatter: format })}
    />
  );
}

/** A value that holds until it changes, as steps over the rows of `data`; without labels below, for the bars that stand there. */
export function Steps({
  data,
  x,
  series,
  format,
  axisPx,
}: {
  readonly data: ReadonlyArray<Readonly<Record<string, string | number>>>;
  readonly x: string;
  readonly series: Series;
  readonly format: (value: number) => string;
  readonly axisPx: number;
}): ReactNode {
  return (
    <LineChart
      h="100%"
      data={data.map((row) => ({ ...row }))}
      dataKey={x}
      series={[{ ...series }]}
      curveType="step"
      withXAxis={false}
      xAxisProps={{ scale: 'band' }}
      withDots={false}
      lineProps={{ isAnimationActive: false }}
      yAxisProps={{ width: Math.max(axisPx, axisWidth(data, [series], format)) }}
      valueFormatter={format}
    />
  );
}

/** Half a sale does not exist, so its axis has no mark for it. */
function areWhole(data: ReadonlyArray<Readonly<Record<string, string | number>>>, series: readonly Series[]): boolean {
  return data.every((row) => series.every(({ name }) => Number.isInteger(row[name] ?? 0)));
}

const DIGIT_PX = 7.5;
const AXIS_PX = { min: 44, margin: 18 };

/** Fits the longest label: amounts of money would be cut off. Labels are at most one digit longer than the largest value. */
function axisWidth(
  data: ReadonlyArray<Readonly<Record<string, string | number>>>,
  series: readonly Series[],
  format: (value: number) => string = String,
): number {
  const totals = data.map((row) => series.reduce((sum, { name }) => sum + Math.abs(Number(row[name] ?? 0)), 0));
  const largest = Math.ceil(Math.max(0, ...totals));
  const signs = data.some((row) => series.some(({ name }) => Number(row[name] ?? 0) < 0)) ? 1 : 0;
  return Math.max(AXIS_PX.min, AXIS_PX.margin + DIGIT_PX * (format(largest).length + signs));
}
