// The filters of a partner's ledger, by type of entry and by days, on the portal's billing page and in the console's ledger.
import { Select } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Entry } from '../../src/console/ledger.schema.ts';
import { DayFields, DayPresets } from './day-presets.tsx';
import type { Days } from './days.ts';
import { FilterBar } from './filter-bar.tsx';
import { FilterFields } from './filter-fields.tsx';
import { choiceFilter, dayFilter } from './filters.ts';
import { labelIn } from './set-filters.ts';
import { Empty } from './states.tsx';

export const ENTRY_TYPES: Readonly<Record<Entry['type'], string>> = {
  charge: 'Charge',
  credit: 'Credit',
  payment: 'Payment',
  adjustment: 'Adjustment',
  tax: 'Tax',
};

export const LEDGER_FILTERS = {
  type: choiceFilter(['', 'charge', 'credit', 'payment', 'adjustment', 'tax']),
  from: dayFilter,
  to: dayFilter,
};
export type LedgerConditions = Days & { readonly type: Entry['type'] | '' };

const CHOICES = [
  { value: '', label: 'All types' },
  ...Object.entries(ENTRY_TYPES).map(([value, label]) => ({ value, label })),
];
const WORDS = { type: ['Type', labelIn(CHOICES)] } as const;

export function LedgerFilters({
  list,
  conditions,
  onChange,
}: {
  /** The name of the list in its `ListSettings`. */
  readonly list: string;
  readonly conditions: LedgerConditions;
  readonly onChange: (change: Partial<LedgerConditions>) => void;
}): ReactNode {
  return (
    <>
      <FilterFields cols={{ base: 1, xs: 3 }}>
        <Select
          label="Type"
          data={CHOICES}
          value={conditions.type}
          allowDeselect={false}
          onChange={(chosen) => onChange({ type: LEDGER_FILTERS.type.read(chosen ?? undefined) })}
        />
        <DayFields days={conditions} onChange={onChange} />
      </FilterFields>
      <DayPresets days={conditions} onChange={onChange} />
      <FilterBar list={list} filters={LEDGER_FILTERS} values={conditions} words={WORDS} onChange={onChange} />
    </>
  );
}

/** Instead of a page of entries; `none` if the ledger has none at all. */
export function NoEntries({
  conditions,
  none,
}: {
  readonly conditions: LedgerConditions;
  readonly none: string;
}): ReactNode {
  const { type, from, to } = conditions;
  if (type === '' && from === '' && to === '') return <Empty title="No entries yet">{none}</Empty>;
  return <Empty title="No entries found">No entry matches the filters. Change or remove one of them.</Empty>;
}
