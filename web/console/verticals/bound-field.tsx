// The input of a bound of an own field: a number, a day or an instant, depending on the field's type.
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { FIELD_ORDER, type FieldTexts } from '../configuration/fields.tsx';
import type { OwnFieldType } from '../configuration/own-field-words.ts';

const NUMERIC: ReadonlySet<OwnFieldType> = new Set<OwnFieldType>(['integer', 'number', 'money']);

export function hasNumbers(type: OwnFieldType): boolean {
  return NUMERIC.has(type);
}

/** The value that a text stands for. Text that is no number stays as it is, and the service reports it. */
export function boundOf(text: string, type: OwnFieldType): string | number {
  const isNumber = hasNumbers(type) && /^-?\d+(?:\.\d+)?$/.test(text.trim());
  return isNumber ? Number(text) : text.trim();
}

/** Keeps the typed text, because a number has no form for `1.` or `1.50`. */
export function BoundField({
  type,
  value,
  onChange,
  error,
  ...rest
}: FieldTexts & {
  readonly type: OwnFieldType;
  readonly value: string | number | null;
  readonly onChange: (value: string | number | null) => void;
  readonly placeholder?: string;
}): ReactNode {
  const [text, setText] = useState(value === null ? '' : String(value));
  return (
    <TextInput
      {...rest}
      {...(type === 'datetime' ? { placeholder: '2026-01-31T12:00:00Z' } : {})}
      inputWrapperOrder={FIELD_ORDER}
      type={type === 'date' ? 'date' : 'text'}
      inputMode={hasNumbers(type) ? 'decimal' : 'text'}
      autoComplete="off"
      withAsterisk={false}
      error={error ?? null}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(currentTarget.value.trim() === '' ? null : boundOf(currentTarget.value, type));
      }}
    />
  );
}
