// The charts, in a chunk of their own: import this file only through `lazyPart`.
import '@mantine/charts/styles.css';

import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';

export type Series = { readonly name: string; readonly label: string; readonly color: string };

/** Per row of `data` one bar with the series stacked, or with `isStacked: false` one bar per series; `x` is the member with the row's label. */
export function Bars({
  data,
  x,
  series,
  format,
  isStacked = true,
}: {
  readonly data: ReadonlyArray<Readonly<Record<string, string | number>>>;
  readonly x: string;
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  readonly isStacked?: boolean;
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
      {...(format === undefined ? {} : { valueFormatter: format })}
    />
  );
}
