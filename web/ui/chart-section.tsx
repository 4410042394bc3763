// A section that shows the same numbers as a chart or, also for assistive technology, as a table.
import { Box, SegmentedControl } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

import { Section } from './facts.tsx';
import { lazyPart } from './lazy-part.tsx';
import { Loading } from './states.tsx';

/** Loads the charts library when the first chart is drawn. */
export const Bars = lazyPart(async () => (await import('./charts.tsx')).Bars, 'Loading the chart');

export const Steps = lazyPart(async () => (await import('./charts.tsx')).Steps, 'Loading the chart');

/** `chart` must be a lazily loaded component such as `Bars`: @mantine/charts must not be part of the first load. */
export function ChartSection({
  title,
  chart,
  table,
  height = 260,
}: {
  readonly title: string;
  readonly chart: ReactNode;
  readonly table: ReactNode;
  readonly height?: number;
}): ReactNode {
  const [kind, setKind] = useState('chart');
  return (
    <Section
      title={title}
      actions={
        <SegmentedControl
          size="xs"
          value={kind}
          onChange={setKind}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          aria-label={`View of ${title}`}
        />
      }
    >
      {kind === 'chart' ? (
        <ChartBox title={title} chart={chart} height={height} note="The same numbers are in the table view." />
      ) : (
        table
      )}
    </Section>
  );
}

/** A chart for the eye; `note` says where assistive technology finds the same numbers. */
export function ChartBox({
  title,
  chart,
  note,
  height = 260,
}: {
  readonly title: string;
  readonly chart: ReactNode;
  readonly note: string;
  readonly height?: number;
}): ReactNode {
  const isIdle = useIsIdle();
  return (
    <Box h={height} style={{ overflow: 'hidden', minWidth: 0 }} role="img" aria-label={`Chart: ${title}. ${note}`}>
      {isIdle ? chart : <Loading what="Loading the chart" />}
    </Box>
  );
}

/** A browser that is never idle draws the chart after this time. */
const IDLE_TIMEOUT_MS = 1500;

/** Whether the rest of the page has been drawn. The charts library is half as large as everything else, so it loads last. */
function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const draw = (): void => setIdle(true);
    // Safari does not support requestIdleCallback.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(draw, 100);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(draw, { timeout: IDLE_TIMEOUT_MS });
    return () => cancelIdleCallback(handle);
  }, []);
  return isIdle;
}
