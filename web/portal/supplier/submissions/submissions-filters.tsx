// The filters of the list of submissions, and its search. A search goes without status and reason.
import { Button, CloseButton, Group, Select, Stack, TextInput } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';

import { DayFields, DayPresets } from '../../../ui/day-presets.tsx';
import { FilterFields } from '../../../ui/filter-fields.tsx';
import { SourceField, UsStateField } from '../../../ui/typed-field.tsx';

export const STATES = [
  '',
  'pending',
  'routed',
  'rejected',
  'duplicate',
  'no_buyer',
  'suppressed',
  'invalid',
  'test',
] as const;
type State = (typeof STATES)[number];
const STATE_WORDS: Readonly<Record<State, string>> = {
  '': 'All',
  pending: 'Pending',
  routed: 'Sold',
  rejected: 'Rejected or not sold',
  duplicate: '– Duplicate',
  no_buyer: '– No Buyer',
  suppressed: '– Suppressed',
  invalid: '– Rejected by the checks',
  test: 'Tests',
};

export function stateWords(state: string): string {
  return STATE_WORDS[stateOf(state)].replace('– ', '');
}

function stateOf(text: string | null): State {
  return STATES.find((state) => state === text) ?? '';
}

export type SetFilters = {
  readonly search: string;
  readonly state: State;
  readonly source: string;
  readonly usState: string;
  readonly from: string;
  readonly to: string;
};

export function SubmissionsFilters({
  filters: { search, state, source, usState, from, to },
  onChange,
}: {
  readonly filters: SetFilters;
  readonly onChange: (
    change: Partial<SetFilters & { readonly reason: string }>,
    options?: { readonly push?: boolean },
  ) => void;
}): ReactNode {
  return (
    <Stack gap="sm">
      <Search search={search} onSearch={(text) => onChange({ search: text, state: '', reason: '' })} />
      <FilterFields cols={{ base: 2, xs: 3, md: 5 }}>
        <Select
          label="Status"
          allowDeselect={false}
          data={STATES.map((value) => ({ value, label: STATE_WORDS[value] }))}
          value={state}
          onChange={(value) => onChange({ state: stateOf(value), search: '', reason: '' })}
        />
        <SourceField value={source} onChange={(text) => onChange({ source: text }, { push: false })} />
        <UsStateField value={usState} onChange={(code) => onChange({ usState: code }, { push: false })} />
        <DayFields days={{ from, to }} onChange={(days) => onChange(days, { push: false })} />
      </FilterFields>
      <DayPresets days={{ from, to }} onChange={onChange} />
    </Stack>
  );
}

function Search({
  search,
  onSearch,
}: {
  readonly search: string;
  readonly onSearch: (text: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState({ over: search, text: search });
  // Discards text that was typed over a previous search.
  const text = typed.over === search ? typed.text : search;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form onSubmit={submit} role="search">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          type="search"
          label="Id, phone, email or name"
          value={text}
          onChange={({ currentTarget }) => setTyped({ over: search, text: currentTarget.value })}
          rightSection={
            search === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={() => onSearch('')} />
          }
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </Group>
    </form>
  );
}
