// The bar above a list with filters: each filter that is set is a button that removes it; and the saved views, in the list's toolbar.
import { Box, Button, Group, Text } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

import type { Filters, ValuesOf } from './filters.ts';
import { type FilterWords, findSetFilters } from './set-filters.ts';
import { ViewsMenu } from './views-menu.tsx';
import { useViewsSlot } from './views-slot.ts';

type Words<Of extends Filters> = { readonly [Name in keyof Of]?: FilterWords };
type Change<Of extends Filters> = (change: Partial<ValuesOf<Of>>) => void;

/** Above every list with filters: those that are set, and the saved views of the list. */
export function FilterBar<Of extends Filters>({
  list,
  filters,
  values,
  words,
  onChange,
}: {
  /** The name of the list in its `ListSettings`. */
  readonly list: string;
  readonly filters: Of;
  readonly values: Readonly<Record<string, unknown>>;
  /** For each filter that is shown; days need none. */
  readonly words: Words<Of>;
  readonly onChange: Change<Of>;
}): ReactNode {
  const slot = useViewsSlot(list);
  const chips = <Chips filters={filters} values={values} words={words} onChange={onChange} />;
  const views = <ViewsMenu list={list} filters={filters} values={values} onOpen={onChange} />;
  if (slot !== null) {
    return (
      <>
        {chips}
        {createPortal(views, slot)}
      </>
    );
  }
  return (
    <Group gap="xs" justify="space-between" align="flex-start" wrap="nowrap">
      <Box>{chips}</Box>
      {views}
    </Group>
  );
}

/** After a removal the focus goes to the next filter, or to the page's heading after the last one. */
function Chips<Of extends Filters>({
  filters,
  values,
  words,
  onChange,
}: {
  readonly filters: Of;
  readonly values: Readonly<Record<string, unknown>>;
  readonly words: Words<Of>;
  readonly onChange: Change<Of>;
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
    <Group ref={group} gap={6} miw={0} role="group" aria-label="Filters that are set">
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
          {/* The line height of a button, 1, cuts off the tails of letters. */}
          <Text span inherit truncate lh={1.4}>
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
