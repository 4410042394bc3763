// The input fields of the configuration forms for places: states and time zones.
import { MultiSelect, Select } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Choices } from '../../../src/console/configuration.schema.ts';
import { ChipsField, FIELD_ORDER, type FieldTexts } from './fields.tsx';

export function TimeZoneField({
  value,
  onChange,
  error,
  ...rest
}: FieldTexts & {
  readonly value: string;
  readonly onChange: (zone: string) => void;
}): ReactNode {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return (
    <Select
      {...rest}
      data={known.includes(value) ? known : [value, ...known]}
      value={value}
      onChange={(zone) => {
        if (zone !== null) onChange(zone);
      }}
      inputWrapperOrder={FIELD_ORDER}
      searchable
      allowDeselect={false}
      limit={50}
      error={error ?? null}
    />
  );
}

export function StatesField({
  label,
  placeholder,
  states,
  otherStates,
  value,
  onChange,
  error,
}: FieldTexts & {
  readonly placeholder: string;
  readonly states: Choices['states'];
  readonly otherStates: boolean;
  readonly value: readonly string[];
  readonly onChange: (states: readonly string[]) => void;
}): ReactNode {
  if (otherStates) {
    return (
      <ChipsField
        label={label}
        placeholder={value.length === 0 ? placeholder : ''}
        description="Two letters each. Press Enter after each one."
        known={states.map(({ code }) => code)}
        value={value}
        onChange={(next) => onChange(next.map((code) => code.toUpperCase()).toSorted())}
        error={error}
      />
    );
  }
  return (
    <MultiSelect
      label={label}
      placeholder={value.length === 0 ? placeholder : ''}
      data={states.map(({ code, name }) => ({ value: code, label: `${code} ${name}` }))}
      value={[...value]}
      // Sorted like the file, so that adding a state and removing it again is no change.
      onChange={(next) => onChange(next.toSorted())}
      inputWrapperOrder={FIELD_ORDER}
      searchable
      clearable
      hidePickedOptions
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      error={error ?? null}
    />
  );
}
