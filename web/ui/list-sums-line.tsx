// What a filtered list comes to, in a line under it or beside the number of its rows. In a request of its own, for which the list never waits.
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ListSums } from '../../src/platform/http/list-sums.schema.ts';
import { sumsInWords, type SumWords } from './list-sums.ts';

const REFETCH_EVERY_MS = 30_000;

export function ListSumsLine({
  of,
  read,
  words,
}: {
  /** The name of the list and its filters: with others there are other sums. */
  readonly of: readonly unknown[];
  readonly read: (signal: AbortSignal) => Promise<ListSums>;
  readonly words: SumWords;
}): ReactNode {
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['list-sums', ...of],
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_EVERY_MS,
    retry: false,
  });
  // Nothing instead of an error: the list is what matters.
  if (data === undefined || data.rows === 0) return null;
  const text = sumsInWords(data, words);
  return text === '' ? null : <SumsText isStale={isPlaceholderData}>{text}</SumsText>;
}

/** For sums that are known already. */
export function SumsText({
  isStale = false,
  children,
}: {
  readonly isStale?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Text size="sm" c="dimmed" data-figure aria-busy={isStale}>
      {children}
    </Text>
  );
}
