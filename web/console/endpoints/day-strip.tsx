// The last 24 hours of an endpoint as a strip, one bar per hour, with the downtime in words.
import { Box, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

import { formatSpan } from '../../ui/formats.ts';

const [BAR, GAP, HEIGHT] = [4, 1, 20];

/** `hours`: seconds of downtime in each hour, oldest first. */
export function DayStrip({ hours }: { readonly hours: readonly number[] }): ReactNode {
  const down = hours.reduce((sum, seconds) => sum + seconds, 0);
  const words = down === 0 ? 'No downtime' : `${formatSpan(down * 1000)} down`;
  const width = hours.length * (BAR + GAP);
  // Positioned, so that the hidden words stay within the part of a wide table that scrolls.
  return (
    <Box component="span" display="block" pos="relative" w={width} title={`${words} in the last 24 hours`}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} aria-hidden="true">
        {hours.map((seconds, index) => {
          const part = seconds / 3600;
          const lost = seconds === 0 ? 0 : Math.max(3, Math.round(part * HEIGHT));
          const x = index * (BAR + GAP);
          return (
            // The hours have no other name than their place.
            <g key={x}>
              <rect x={x} y={lost} width={BAR} height={HEIGHT - lost} fill="var(--lm-good)" />
              <rect x={x} y={0} width={BAR} height={lost} fill="var(--lm-bad)" />
            </g>
          );
        })}
      </svg>
      <VisuallyHidden>{words}</VisuallyHidden>
    </Box>
  );
}
