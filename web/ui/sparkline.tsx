// A line of one value per day without axes, beside the figure that it belongs to. Only a picture: the words beside it say the values.
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

const [WIDTH, HEIGHT] = [112, 24];

/** Nothing for fewer than two values. The lowest line is 0. */
export function Sparkline({ values }: { readonly values: readonly number[] }): ReactNode {
  if (values.length < 2) return null;
  const most = Math.max(1, ...values);
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - 1 - (Math.max(0, value) / most) * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <Box
      component="svg"
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      display="block"
      w="100%"
      h={HEIGHT}
      c="accent.6"
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </Box>
  );
}
