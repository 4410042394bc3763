// The filters of the delivery list, with a search while typing.
import { CloseButton, Select, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

import { DayPresets } from '../../../ui/day-presets.tsx';
import { FilterFields } from '../../../ui/filter-fields.tsx';
import { ShortcutNote } from '../../../ui/shortcut-note.tsx';
import { SourceField, UsStateField, useTyped } from '../../../ui/typed-field.tsx';
import { useOfferStates } from '../overview/offer-states.ts';

export const STATUSES = ['', 'Pending', 'Confirmed', 'Failed', 'Returned'] as const;
export const EVENT_TYPES = ['', 'Lead Sale', 'Calendar Assigned'] as const;

export const CLAIMS = ['', 'none', 'open', 'approved', 'denied', 'withdrawn'] as const;
export const claimChoices = [
  { value: '', label: 'All' },
  { value: 'none', label: 'None' },
  { value: 'open', label: 'Open' },
  { value: 'approved', label: 'Approved' },
  { value: 'denied', label: 'Denied' },
  { value: 'withdrawn', label: 'Withdrawn' },
];

export type Filters = {
  readonly search: string;
  readonly status: (typeof STATUSES)[number];
  readonly eventType: (typeof EVENT_TYPES)[number];
  readonly source: string;
  readonly state: string;
  readonly offer: string;
  readonly claim: (typeof CLAIMS)[number];
  readonly from: string;
  readonly to: string;
};
type Change = (change: Partial<Filters>, options?: { readonly push?: boolean }) => void;

export function DeliveriesFilters({
  filters: { search, status, eventType, source, state, offer, claim, from, to },
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: Change;
}): ReactNode {
  return (
    <Stack gap="sm" role="search" aria-label="Deliveries">
      <Search search={search} onChange={onChange} />
      <FilterFields cols={{ base: 2, xs: 3, md: 4, xl: 8 }}>
        <Select
          label="Status"
          allowDeselect={false}
          data={STATUSES.map((value) => ({ value, label: value === '' ? 'All' : value }))}
          value={status}
          onChange={(value) => onChange({ status: STATUSES.find((one) => one === value) ?? '' })}
        />
        <Select
          label="Event type"
          allowDeselect={false}
          data={EVENT_TYPES.map((value) => ({ value, label: value === '' ? 'All' : value }))}
          value={eventType}
          onChange={(value) => onChange({ eventType: EVENT_TYPES.find((one) => one === value) ?? '' })}
        />
        <OfferField value={offer} onChange={onChange} />
        <Select
          label="Claim"
          allowDeselect={false}
          data={claimChoices}
          value={claim}
          onChange={(value) => onChange({ claim: CLAIMS.find((one) => one === value) ?? '' })}
        />
        <SourceField value={source} onChange={(text) => onChange({ source: text }, { push: false })} />
        <UsStateField value={state} onChange={(code) => onChange({ state: code }, { push: false })} />
        <Day label="From" value={from} max={to} onChange={(day) => onChange({ from: day })} />
        <Day label="To" value={to} min={from} onChange={(day) => onChange({ to: day })} />
      </FilterFields>
      <DayPresets days={{ from, to }} onChange={onChange} />
    </Stack>
  );
}

/** Offers of the past are in no choice, but may be in an address. */
function OfferField({ value, onChange }: { readonly value: string; readonly onChange: Change }): ReactNode {
  const offers = useOfferStates().data?.offers ?? [];
  const choices = offers.map(({ offerKey, name }) => ({ value: offerKey, label: name }));
  const isKnown = value === '' || choices.some((choice) => choice.value === value);
  return (
    <Select
      label="Offer"
      allowDeselect={false}
      data={[{ value: '', label: 'All' }, ...choices, ...(isKnown ? [] : [{ value, label: value }])]}
      value={value}
      onChange={(key) => onChange({ offer: key ?? '' })}
    />
  );
}

function Search({ search, onChange }: { readonly search: string; readonly onChange: Change }): ReactNode {
  const [text, setText] = useTyped(search, (wanted) => onChange({ search: wanted }, { push: false }));
  return (
    <TextInput
      type="search"
      label="Search"
      placeholder="LS-100042, name, phone or email"
      w={{ base: '100%', xs: 420 }}
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
      value={value}
      {...Object.fromEntries(Object.entries(bounds).filter(([, day]) => day !== ''))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
