// The charts, in a chunk of their own: import this file only through `lazyPart`.
import '@mantine/charts/styles.css';

import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';

export type Series = { readonly name: string; readonly label: string; readonly color: string };

/** One bar per row of `data`, stacked if there are several series; `x` is the member with the row's label. */
export function Bars({
  data,
  x,
  series,
  format,
}: {
  readonly data: ReadonlyArray<Readonly<Record<string, string | number>>>;
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
