// The filters of the delivery list, with a search while typing.
import { CloseButton, Group, Select, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { DayPresets } from '../../../ui/day-presets.tsx';
import { ShortcutNote } from '../../../ui/shortcut-note.tsx';

export const STATUSES = ['', 'Pending', 'Confirmed', 'Failed', 'Returned'] as const;
export const EVENT_TYPES = ['', 'Lead Sale', 'Calendar Assigned'] as const;

export type Filters = {
  readonly search: string;
  readonly status: (typeof STATUSES)[number];
  readonly eventType: (typeof EVENT_TYPES)[number];
  readonly from: string;
  readonly to: string;
};
type Change = (change: Partial<Filters>, options?: { readonly push?: boolean }) => void;

/** Two side by side on a phone. */
const HALF = 'calc(50% - 8px)';
/** Pause in typing after which the search runs. */
const TYPING_MS = 300;

export function DeliveriesFilters({
  filters: { search, status, eventType, from, to },
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: Change;
}): ReactNode {
  return (
    <Stack gap="sm" role="search" aria-label="Deliveries">
      <Group align="flex-start" gap="md">
        <Search search={search} onChange={onChange} />
        <Select
          label="Status"
          w={{ base: HALF, xs: 130 }}
          allowDeselect={false}
          data={STATUSES.map((value) => ({ value, label: value === '' ? 'All' : value }))}
          value={status}
          onChange={(value) => onChange({ status: STATUSES.find((one) => one === value) ?? '' })}
        />
        <Select
          label="Event type"
          w={{ base: HALF, xs: 170 }}
          allowDeselect={false}
          data={EVENT_TYPES.map((value) => ({ value, label: value === '' ? 'All' : value }))}
          value={eventType}
          onChange={(value) => onChange({ eventType: EVENT_TYPES.find((one) => one === value) ?? '' })}
        />
        <Day label="From" value={from} max={to} onChange={(day) => onChange({ from: day })} />
        <Day label="To" value={to} min={from} onChange={(day) => onChange({ to: day })} />
      </Group>
      <DayPresets days={{ from, to }} onChange={onChange} />
    </Stack>
  );
}

function Search({ search, onChange }: { readonly search: string; readonly onChange: Change }): ReactNode {
  const [text, setText] = useState(search);
  const typed = useRef(search);
  // Follows Back and Forward to another search, but does not overwrite text being typed.
  useEffect(() => {
    if (search === typed.current) return;
    typed.current = search;
    setText(search);
  }, [search]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === typed.current) return undefined;
    const timer = setTimeout(() => {
      typed.current = wanted;
      onChange({ search: wanted }, { push: false });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <TextInput
      type="search"
      label="Search"
      placeholder="LS-100042, name, phone or email"
      w={{ base: '100%', xs: 290 }}
      maxLength={200}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text !== '') setText('');
      }}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={<ShortcutNote />}
      rightSection={
        text === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={() => setText('')} />
      }
    />
  );
}

/** A native date input: Mantine's calendar would be a third of the first load. */
function Day({
  label,
  value,
  onChange,
  ...bounds
}: {
  readonly label: string;
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (day: string) => void;
}): ReactNode {
  return (
    <TextInput
      type="date"
      label={label}
      w={{ base: HALF, xs: 150 }}
      value={value}
      {...Object.fromEntries(Object.entries(bounds).filter(([, day]) => day !== ''))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
