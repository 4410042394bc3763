// Fields of the forms: each shows a member of a draft and what the service finds wrong with it.
import { NumberInput, type NumberInputProps, Select, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { Kind } from '../../../src/console/changes.schema.ts';
import { useConsoleSession } from '../session.ts';
import { capital, type Faults } from './draft.ts';
import { fieldWords, valueWords } from './field-words.ts';
import { type Forms, memberOf, type PathIn, valuesOf } from './members.ts';

/** Inputs beside each other stand on one line, whether they have a description or not. */
export const FIELD_ORDER: Array<'label' | 'input' | 'description' | 'error'> = [
  'label',
  'input',
  'description',
  'error',
];

export type FieldTexts = {
  readonly label: string;
  readonly description?: ReactNode;
  readonly error?: string | undefined;
  readonly required?: boolean;
};

/** What stands around the field of a member, by its path: its label and description, and what is wrong with it. */
export function fieldsOf<Of extends Kind>(kind: Of, faults: Faults) {
  return (path: PathIn<Forms[Of]>): FieldTexts => {
    const { title = path, description } = memberOf(kind, path);
    return { label: title, error: faults.of(path), ...(description === undefined ? {} : { description }) };
  };
}

/** The values that a member may have, to choose from. */
export function choicesOf<Of extends Kind>(kind: Of, path: PathIn<Forms[Of]>): Choice[] {
  return valuesOf(kind, path).map((value) => ({ value, label: capital(valueWords(path, value, '')) }));
}

/** An empty field is null: not set. */
export function TextField({
  value,
  onChange,
  error,
  ...rest
}: FieldTexts & {
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly placeholder?: string;
  readonly type?: string;
}): ReactNode {
  return (
    <TextInput
      {...rest}
      inputWrapperOrder={FIELD_ORDER}
      autoComplete="off"
      withAsterisk={false}
      error={error ?? null}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  );
}

/** What everything that is configured has first: a key, asked for once, and a name. */
export function KeyAndName({
  values,
  set,
  errorOf,
  isNew,
}: {
  readonly values: { readonly key: string; readonly name: string };
  readonly set: (member: 'key' | 'name', value: string) => void;
  readonly errorOf: (path: string) => string | undefined;
  readonly isNew: boolean;
}): ReactNode {
  return (
    <>
      {isNew && (
        <TextField
          label={fieldWords('key')}
          description="Lowercase letters, digits and hyphens. It cannot be changed later."
          value={values.key}
          onChange={(key) => set('key', key ?? '')}
          error={errorOf('key')}
          required
        />
      )}
      <TextField
        label={fieldWords('name')}
        value={values.name}
        onChange={(name) => set('name', name ?? '')}
        error={errorOf('name')}
        {...(isNew ? { description: 'The key, if you leave it empty.' } : {})}
      />
    </>
  );
}

/** A whole number unless `decimals` says otherwise; an empty field is null. */
export function NumberField({
  value,
  onChange,
  error,
  decimals = 0,
  ...rest
}: FieldTexts & {
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly decimals?: number;
  readonly min?: number;
  readonly max?: number;
  readonly placeholder?: string;
  readonly leftSection?: ReactNode;
  readonly thousandSeparator?: string;
  readonly fixedDecimalScale?: boolean;
  readonly w?: NumberInputProps['w'];
}): ReactNode {
  return (
    <NumberInput
      {...rest}
      inputWrapperOrder={FIELD_ORDER}
      hideControls
      allowNegative={false}
      allowDecimal={decimals > 0}
      decimalScale={decimals}
      withAsterisk={false}
      clampBehavior="none"
      error={error ?? null}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : Number(next))}
    />
  );
}

/** In the marketplace's currency. */
export function MoneyField(props: Omit<Parameters<typeof NumberField>[0], 'decimals' | 'leftSection'>): ReactNode {
  const { currency } = useConsoleSession();
  const symbol = new Intl.NumberFormat('en-US', { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency');
  return (
    <NumberField
      {...props}
      decimals={2}
      fixedDecimalScale
      thousandSeparator=","
      leftSection={<span aria-hidden="true">{symbol?.value}</span>}
    />
  );
}

export type Choice = { readonly value: string; readonly label: string };

export function ChoiceField<Value extends string>({
  value,
  choices,
  onChange,
  error,
  ...rest
}: FieldTexts & {
  readonly value: Value;
  readonly choices: readonly Choice[];
  readonly onChange: (value: Value) => void;
  readonly searchable?: boolean;
}): ReactNode {
  return (
    <Select
      {...rest}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={false}
      allowDeselect={false}
      error={error ?? null}
      value={value}
      data={[...choices]}
      onChange={(next) => {
        if (next !== null) onChange(next as Value);
      }}
    />
  );
}

const NONE: readonly string[] = [];

/** Words as chips: typed and ended with Enter or a comma, or chosen from those that are known. */
export function ChipsField({
  value,
  onChange,
  error,
  known = NONE,
  ...rest
}: FieldTexts & {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly known?: readonly string[];
  readonly placeholder?: string;
}): ReactNode {
  return (
    <TagsInput
      {...rest}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={false}
      acceptValueOnBlur
      splitChars={[',']}
      error={error ?? null}
      value={[...value]}
      data={[...known]}
      onChange={onChange}
    />
  );
}

/** Numbers with commas between them. What is no number is left as it is written, and the service says so. */
export function NumbersField({
  value,
  onChange,
  error,
  ...rest
}: FieldTexts & {
  readonly value: readonly number[];
  readonly onChange: (value: readonly number[]) => void;
}): ReactNode {
  const [text, setText] = useState(value.join(', '));
  return (
    <TextInput
      {...rest}
      inputWrapperOrder={FIELD_ORDER}
      autoComplete="off"
      withAsterisk={false}
      error={error ?? null}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        const words = currentTarget.value.split(',').map((word) => word.trim());
        // Not a number is null in JSON, which the service refuses at its place.
        onChange(words.filter((word) => word !== '').map(Number));
      }}
    />
  );
}
