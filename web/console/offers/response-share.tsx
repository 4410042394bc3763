// The share of a partner's responses that reject leads.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { ResponseShare } from '../../../src/console/responses.schema.ts';
import { count, formatNumber, formatShare } from '../../ui/formats.ts';

export const RESPONSE_SPANS = [
  ['today', 'Today'],
  ['last7Days', 'In 7 days'],
  ['last30Days', 'In 30 days'],
] as const;

/** `25%` with the numbers below; a dash without responses. */
export function ShareOfResponses({ share }: { readonly share: ResponseShare }): ReactNode {
  const { responses, rejected, duplicates } = share;
  if (responses === 0) return <span aria-label="no responses">—</span>;
  return (
    <>
      {formatShare((rejected + duplicates) / responses)}
      <Text size="xs" c="dimmed" component="div">
        {responseNote(share)}
      </Text>
    </>
  );
}

/** `3 not wanted, 1 duplicate, of 16`. */
export function responseNote({ responses, rejected, duplicates }: ResponseShare): string {
  return `${formatNumber(rejected)} not wanted, ${count(duplicates, 'duplicate')}, of ${formatNumber(responses)}`;
}
