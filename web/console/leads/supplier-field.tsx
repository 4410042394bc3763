// An input for a supplier's key with suggestions.
import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { FilterWords } from '../../ui/set-filters.ts';
import { request } from '../console-api.ts';

/** Longer than between two keys, short enough not to be noticed. */
const PAUSE_MS = 250;
const CHOICES = 20;

const choicesOf = (search: string) =>
  queryOptions({
    queryKey: ['configuration', 'supplier-choices', search],
    queryFn: ({ signal }) => request('GET /console/api/suppliers', { query: { search, pageSize: CHOICES }, signal }),
  });

/** The words of a filter by supplier: the name of the supplier, or its key while it is not known. */
export function useSupplierWords(supplier: string): FilterWords {
  const { data } = useQuery({ ...choicesOf(supplier), enabled: supplier !== '' });
  return ['Supplier', (key) => data?.data.find((one) => one.key === key)?.name ?? key];
}

/** `onChange` gets a key, or '' for all: when an option is chosen, on blur, or on Enter. */
export function SupplierField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (supplier: string) => void;
}): ReactNode {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS);
  const query = useQuery({ ...choicesOf(search), placeholderData: keepPreviousData });
  const suppliers = query.data?.data ?? [];
  const choose = (key: string): void => {
    setText(key);
    if (key !== value) onChange(key);
  };
  return (
    <Autocomplete
      label="Supplier"
      placeholder="All suppliers"
      value={text}
      data={suppliers.map(({ key }) => key)}
      renderOption={({ option }) => {
        const name = suppliers.find(({ key }) => key === option.value)?.name;
        return name === undefined || name === option.value ? option.value : `${name} (${option.value})`;
      }}
      // The service filters, also by name.
      filter={({ options }) => options}
      onChange={(typed) => (typed === '' ? choose('') : setText(typed))}
      onOptionSubmit={choose}
      onBlur={() => choose(text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') choose(text.trim());
      }}
      clearable
      clearButtonProps={{ 'aria-label': 'Show all suppliers' }}
    />
  );
}
