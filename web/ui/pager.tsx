// Pagination of a list, by links: each page has its own URL.
import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { formatNumber } from './formats.ts';

/** Reads and writes `page` in the URL. `unit` is a plural: `deliveries`. */
export function Pager({
  page,
  pageSize,
  total,
  unit,
  hasMore = false,
  sums,
}: {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly unit: string;
  /** Counting ended at `total`, and there are more. */
  readonly hasMore?: boolean;
  /** What the rows of all pages come to: `ListSumsLine` without the number of rows, which stands before it. */
  readonly sums?: ReactNode;
}): ReactNode {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const from = (page - 1) * pageSize + 1;
  const to = Math.min(page * pageSize, total);
  if (total === 0 && page === 1) return null;
  return (
    <>
      <Group justify="space-between" component="nav" aria-label={`Pages of ${unit}`}>
        <Group gap="0 var(--mantine-spacing-md)">
          <Text size="sm" c="dimmed" role="status">
            {from > total
              ? `No ${unit} on this page`
              : `${formatNumber(from)} to ${formatNumber(to)} of ${formatNumber(total)} ${unit}`}
          </Text>
          {sums}
        </Group>
        {(last > 1 || page > 1) && (
          <Group gap="xs">
            <Step search={at(1)} isOff={page <= 1} label="First" />
            <Step search={at(page - 1)} isOff={page <= 1} label="Previous" />
            <Step search={at(page + 1)} isOff={page >= last} label="Next" />
            <Step search={at(last)} isOff={page >= last} label="Last" />
          </Group>
        )}
      </Group>
      {hasMore && (
        <Text size="sm" c="dimmed">
          There are more. Use the filters to narrow the list.
        </Text>
      )}
    </>
  );
}

function at(page: number): { readonly page: string | undefined } {
  return { page: page === 1 ? undefined : String(page) };
}

/** The link to another page of the same list. */
export function Step({
  search,
  isOff,
  label,
}: {
  /** What differs in the URL of the other page. */
  readonly search: Readonly<Record<string, string | undefined>>;
  readonly isOff: boolean;
  readonly label: string;
}): ReactNode {
  if (isOff) {
    return (
      <Button size="compact-sm" variant="default" disabled>
        {label}
      </Button>
    );
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      renderRoot={(props) => (
        <Link
          {...props}
          to="."
          search={(before: object) => ({ ...before, ...search })}
          state={true}
          resetScroll={false}
        />
      )}
    >
      {label}
    </Button>
  );
}
