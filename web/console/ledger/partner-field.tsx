// An input for a partner's key with suggestions.
import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { FilterWords } from '../../ui/set-filters.ts';
import { request } from '../console-api.ts';

/** Longer than between two keys, short enough not to be noticed. */
const PAUSE_MS = 250;

const choicesOf = (search: string) =>
  queryOptions({
    queryKey: ['configuration', 'partner-choices', search],
    queryFn: ({ signal }) => request('GET /console/api/ledger/accounts', { query: { search: search.trim() }, signal }),
  });

/** The words of a filter by partner: the name of the partner, or its key while it is not known. */
export function usePartnerWords(partner: string): FilterWords {
  const { data } = useQuery({ ...choicesOf(partner), enabled: partner !== '' });
  return ['Partner', (key) => data?.data.find((one) => one.partner === key)?.name ?? key];
}

/** `onChange` gets a key, or '' for all: when an option is chosen, on blur, or on Enter. */
export function PartnerField({
  value,
  onChange,
  label = 'Partner',
  description,
}: {
  readonly value: string;
  readonly onChange: (partner: string) => void;
  readonly label?: string;
  readonly description?: string;
}): ReactNode {
  // Null while the user is not typing.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? value;
  const [search] = useDebouncedValue(text, PAUSE_MS);
  const query = useQuery({ ...choicesOf(search), placeholderData: keepPreviousData });
  const partners = query.data?.data ?? [];
  const choose = (key: string): void => {
    setTyped(null);
    if (key !== value) onChange(key);
  };
  return (
    <Autocomplete
      label={label}
      {...(description === undefined ? {} : { description })}
      placeholder="All partners"
      value={text}
      data={partners.map(({ partner }) => partner)}
      renderOption={({ option }) => {
        const name = partners.find(({ partner }) => partner === option.value)?.name;
        return name === undefined || name === option.value ? option.value : `${name} (${option.value})`;
      }}
      // The service filters, also by name.
      filter={({ options }) => options}
      onChange={(next) => (next === '' ? choose('') : setTyped(next))}
      onOptionSubmit={choose}
      onBlur={() => choose(text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') choose(text.trim());
      }}
      clearable
      clearButtonProps={{ 'aria-label': 'Show all partners' }}
    />
  );
}
