// The trend of counts per day for one cell of a table, with its numbers in words.
import { Box, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

import { Sparkline } from './sparkline.tsx';
import { trendWords } from './trend-words.ts';

/** `counts`: one per day, oldest first, today last. */
export function Trend({ counts, unit }: { readonly counts: readonly number[]; readonly unit: string }): ReactNode {
  const words = trendWords(counts, unit);
  if (counts.every((count) => count === 0)) return <span title={words}>None</span>;
  // Positioned, so that the hidden words stay within the part of a wide table that scrolls.
  return (
    <Box component="span" display="block" pos="relative" w={90} title={words}>
      <Sparkline values={counts} />
      <VisuallyHidden>{words}</VisuallyHidden>
    </Box>
  );
}
