// A chart and the very same numbers as a table: the chart for a look, the table for reading, and for those who cannot see the chart.
import { Box, SegmentedControl } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

import { Section } from './facts.tsx';
import { Loading } from './states.tsx';

/** `chart` should be a component loaded lazily from a file that imports @mantine/charts: that library is never in the first load. */
export function Charted({
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
  const isIdle = useIsIdle();
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
          aria-label={`${title} as`}
        />
      }
    >
      {kind === 'chart' ? (
        <Box
          h={height}
          style={{ overflow: 'hidden', minWidth: 0 }}
          role="img"
          aria-label={`Chart: ${title}. The same numbers are in the table view.`}
        >
          {isIdle ? chart : <Loading what="Loading the chart" />}
        </Box>
      ) : (
        table
      )}
    </Section>
  );
}

// A browser that is never idle draws it all the same.
const AT_LAST_MS = 1500;

/** Whether the rest of the page has been drawn: the library of the charts is half as large again as everything else. */
function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const draw = (): void => setIdle(true);
    // Safari has no such callback.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(draw, 100);
      return () => clearTimeout(timer);
    }
    const input = requestIdleCallback(draw, { timeout: AT_LAST_MS });
    return () => cancelIdleCallback(input);
  }, []);
  return isIdle;
}
