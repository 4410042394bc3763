// The filters of a list that are set, above it: each is a button that removes it.
import { Button, Group, Text } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { type ReactNode, useEffect, useRef } from 'react';

import type { Filters, ValuesOf } from './filters.ts';
import { type FilterWords, findSetFilters } from './set-filters.ts';

/** After a removal the focus goes to the next filter, or to the page's heading after the last one. */
export function FilterChips<Of extends Filters>({
  filters,
  values,
  words,
  onChange,
}: {
  readonly filters: Of;
  readonly values: Readonly<Record<string, unknown>>;
  /** For each filter that is shown; days need none. */
  readonly words: { readonly [Name in keyof Of]?: FilterWords };
  readonly onChange: (change: Partial<ValuesOf<Of>>) => void;
}): ReactNode {
  const chips = findSetFilters(filters, values, words);
  const group = useRef<HTMLDivElement>(null);
  const removed = useRef<{ readonly index: number; readonly from: string } | null>(null);
  const shown = chips.map(({ text }) => text).join('\n');
  useEffect(() => {
    if (removed.current === null || removed.current.from === shown) return;
    const next = group.current?.querySelectorAll('button')[Math.min(removed.current.index, chips.length - 1)];
    removed.current = null;
    (next ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
  }, [shown, chips.length]);
  if (chips.length === 0) return null;
  const remove = (names: readonly string[], index: number): void => {
    removed.current = { index, from: shown };
    const change = Object.fromEntries(names.map((name) => [name, filters[name]?.read(undefined)]));
    onChange(change as Partial<ValuesOf<Of>>);
  };
  return (
    <Group ref={group} gap={6} role="group" aria-label="Filters that are set">
      {chips.map(({ names, text }, index) => (
        <Button
          key={names.join(' ')}
          size="compact-sm"
          radius="xl"
          variant="default"
          maw="100%"
          aria-label={`Remove filter ${text}`}
          title="Removes this filter"
          rightSection={<Cross2Icon aria-hidden="true" />}
          onClick={() => remove(names, index)}
        >
          <Text span inherit truncate>
            {text}
          </Text>
        </Button>
      ))}
      {chips.length > 1 && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          c="inherit"
          onClick={() =>
            remove(
              chips.flatMap(({ names }) => names),
              0,
            )
          }
        >
          Clear all
        </Button>
      )}
    </Group>
  );
}
