// The search field and status filter above a configuration list, both kept in the URL.
import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';

type Filters = { readonly search: string; readonly status: string };

export function ListFilters({
  filters,
  onChange,
  label,
  statuses,
}: {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>, options?: { readonly push?: boolean }) => void;
  /** The label of the search field: `Search partners`. */
  readonly label: string;
  readonly statuses: readonly string[];
}): ReactNode {
  return (
    <Group align="flex-end" gap="sm" role="search">
      <NameSearch label={label} value={filters.search} onChange={(search) => onChange({ search }, { push: false })} />
      <Select
        label="Status"
        data={[
          { value: '', label: 'Any' },
          ...statuses.map((status) => ({ value: status, label: status.charAt(0).toUpperCase() + status.slice(1) })),
        ]}
        value={filters.status}
        onChange={(status) => onChange({ status: status ?? '' })}
        allowDeselect={false}
        w={150}
      />
    </Group>
  );
}

/** A search by a part of a name or key. */
export function NameSearch({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  /** Called after a pause in typing. */
  readonly onChange: (text: string) => void;
}): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback(onChange, 250);
  // Follows the URL after the back button, but not during typing, when the field is ahead of the URL.
  useEffect(() => {
    const input = field.current;
    if (input !== null && document.activeElement !== input) input.value = value;
  }, [value]);
  return (
    <TextInput
      label={label}
      placeholder="Part of a name or key"
      type="search"
      maxLength={200}
      ref={field}
      defaultValue={value}
      onChange={({ currentTarget }) => search(currentTarget.value)}
      flex="1 1 220px"
      maw={360}
    />
  );
}
