// The charts, in a chunk of their own: import this file only through `lazy`.
import '@mantine/charts/styles.css';

import { BarChart, LineChart } from '@mantine/charts';
import type { ReactNode } from 'react';

export type Series = { readonly name: string; readonly label: string; readonly color: string };

type Rows = readonly Readonly<Record<string, string | number>>[];

/** Bars per row of `data`; `x` is the member that names a row. Stacked where there are several series. */
export function Bars({
  data,
  x,
  series,
  format,
}: {
  readonly data: Rows;
  readonly x: string;
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
}): ReactNode {
  return (
    <BarChart
      h="100%"
      data={data.map((row) => ({ ...row }))}
      dataKey={x}
      series={series.map((one) => ({ ...one }))}
      type="stacked"
      withLegend={series.length > 1}
      barProps={{ isAnimationActive: false }}
      {...(format === undefined ? {} : { valueFormatter: format })}
    />
  );
}

export function Lines({
  data,
  x,
  series,
  format,
}: {
  readonly data: Rows;
  readonly x: string;
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
}): ReactNode {
  return (
    <LineChart
      h="100%"
      data={data.map((row) => ({ ...row }))}
      dataKey={x}
      series={series.map((one) => ({ ...one }))}
      withDots={false}
      withLegend={series.length > 1}
      lineProps={{ isAnimationActive: false }}
      {...(format === undefined ? {} : { valueFormatter: format })}
    />
  );
}
