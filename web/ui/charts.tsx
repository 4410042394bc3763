// The charts, in a chunk of their own: import this file only through `lazy`.
import '@mantine/charts/styles.css';

import { BarChart, LineChart } from '@mantine/charts';
import type { ReactNode } from 'react';

export type Series = { readonly name: string; readonly label: string; readonly color: string };

type Rows = readonly Readonly<Record<string, string | number>>[];

type Props = {
  readonly data: Rows;
  /** The member that names a row. */
  readonly x: string;
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
};

/** Bars per row of `data`, stacked where there are several series. */
export function Bars(props: Props): ReactNode {
  return <BarChart {...chartOf(props)} type="stacked" barProps={{ isAnimationActive: false }} />;
}

export function Lines(props: Props): ReactNode {
  return <LineChart {...chartOf(props)} withDots={false} lineProps={{ isAnimationActive: false }} />;
}

function chartOf({ data, x, series, format }: Props) {
  return {
    h: '100%',
    data: data.map((row) => ({ ...row })),
    dataKey: x,
    series: series.map((one) => ({ ...one })),
    withLegend: series.length > 1,
    ...(format === undefined ? {} : { valueFormatter: format }),
  };
}
