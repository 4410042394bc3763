// The choice of a vertical in forms and above lists; not there in a marketplace without verticals.
import { Select } from '@mantine/core';
import type { ReactNode } from 'react';

import type { VerticalRow } from '../../../src/console/verticals.schema.ts';
import type { Column } from '../../ui/data-table.tsx';
import { type FilterWords, labelIn } from '../../ui/set-filters.ts';
import { useVerticals } from '../configuration/configuration-api.ts';
import { ChoiceField, type FieldTexts } from '../configuration/fields.tsx';

/** Empty while they load, and in a marketplace without any. */
export function useVerticalRows(): readonly VerticalRow[] {
  return useVerticals().data?.data ?? [];
}

/** The words of a filter by vertical. */
export function useVerticalWords(): FilterWords {
  return ['Vertical', labelIn(verticalChoices(useVerticalRows(), []))];
}

const NONE = '';

/** For a form: null for leads that belong to no vertical. */
export function VerticalChoice({
  verticals,
  value,
  onChange,
  ...texts
}: FieldTexts & {
  readonly verticals: readonly VerticalRow[];
  readonly value: string | null;
  readonly onChange: (vertical: string | null) => void;
}): ReactNode {
  if (verticals.length === 0 && value === null) return null;
  return (
    <ChoiceField
      {...texts}
      value={value ?? NONE}
      choices={[{ value: NONE, label: 'None' }, ...verticalChoices(verticals, value === null ? [] : [value])]}
      onChange={(next) => onChange(next === NONE ? null : next)}
    />
  );
}

/** `also`: keys that must be among the choices. */
export function verticalChoices(verticals: readonly VerticalRow[], also: readonly string[]) {
  const known = verticals.map(({ key, name, status }) => ({
    value: key,
    label: status === 'closed' ? `${name} (closed)` : name,
  }));
  const missing = also.filter((key) => !verticals.some((vertical) => vertical.key === key));
  return [...known, ...missing.map((key) => ({ value: key, label: key }))];
}

/** A column of a list; for a marketplace with verticals only. */
export const verticalColumn: Column<{ readonly vertical: string | null }> = {
  key: 'vertical',
  title: 'Vertical',
  cell: ({ vertical }) => vertical ?? <span aria-label="none">—</span>,
};

/** A filter above a list: '' for all. */
export function VerticalFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (vertical: string) => void;
}): ReactNode {
  const verticals = useVerticalRows();
  if (verticals.length === 0 && value === '') return null;
  return (
    <Select
      label="Vertical"
      data={[{ value: '', label: 'All' }, ...verticalChoices(verticals, value === '' ? [] : [value])]}
      value={value}
      allowDeselect={false}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
