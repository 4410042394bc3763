// The input fields of the configuration forms: each shows a member of a draft with its error.
import {
  Button,
  ColorInput,
  FileInput,
  Group,
  MultiSelect,
  NumberInput,
  type NumberInputProps,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { Kind } from '../../../src/console/changes.schema.ts';
import { useConsoleSession } from '../session.ts';
import { capital, type Faults } from './draft.ts';
import { fieldWords, valueWords } from './field-words.ts';
import { type Forms, memberOf, type PathIn, valuesOf } from './members.ts';

/** Puts the description below the input, so that neighbouring inputs align whether they have one or not. */
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

/** The label, description and error of a member's field, by its path. */
export function fieldsOf<Of extends Kind>(kind: Of, faults: Faults) {
  return (path: PathIn<Forms[Of]>): FieldTexts => {
    const { title = path, description } = memberOf(kind, path);
    return { label: title, error: faults.of(path), ...(description === undefined ? {} : { description }) };
  };
}

/** The allowed values of a member as options. */
export function choicesOf<Of extends Kind>(kind: Of, path: PathIn<Forms[Of]>): Choice[] {
  return valuesOf(kind, path).map((value) => ({ value, label: capital(valueWords(path, value, '')) }));
}

/** A text field; empty means null. */
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

/** A color such as `#0b6b62`, typed or picked. */
export function ColorField({
  value,
  onChange,
  error,
  ...rest
}: FieldTexts & { readonly value: string; readonly onChange: (value: string) => void }): ReactNode {
  return (
    <ColorInput
      {...rest}
      inputWrapperOrder={FIELD_ORDER}
      format="hex"
      autoComplete="off"
      withAsterisk={false}
      eyeDropperButtonProps={{ 'aria-label': 'Pick a color from the screen' }}
      error={error ?? null}
      value={value}
      onChange={onChange}
    />
  );
}

/** A logo as a data URL, chosen as a file. The service rejects what is no image or too large. */
export function LogoField({
  value,
  onChange,
  error,
  ...rest
}: FieldTexts & { readonly value: string | null; readonly onChange: (value: string | null) => void }): ReactNode {
  const choose = (file: File | null): void => {
    if (file === null) return onChange(null);
    const reader = new FileReader();
    reader.addEventListener('load', () => onChange(typeof reader.result === 'string' ? reader.result : null));
    reader.readAsDataURL(file);
  };
  return (
    <Group align="flex-end" wrap="nowrap">
      <FileInput
        {...rest}
        inputWrapperOrder={FIELD_ORDER}
        accept="image/png,image/jpeg"
        placeholder={value === null ? 'Choose a file' : 'Choose another file'}
        withAsterisk={false}
        error={error ?? null}
        onChange={choose}
        style={{ flex: 1 }}
      />
      {value !== null && (
        <>
          <img src={value} alt="Current logo" className="lm-logo" />
          <Button variant="default" onClick={() => onChange(null)}>
            Remove logo
          </Button>
        </>
      )}
    </Group>
  );
}

/** The key, which can be entered for a new item only, and the name. */
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
        {...(isNew ? { description: 'Defaults to the key.' } : {})}
      />
    </>
  );
}

/** A number field, for whole numbers unless `decimals` is set; empty means null. */
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

/** A field for an amount in the marketplace's currency. */
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

/** A list of words as chips: typed and ended with Enter or a comma, or chosen from the known ones. */
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

/** Keys of things with names, chosen by name. A key that is not among `known` stays and stands for itself. */
export function NamedKeysField({
  value,
  onChange,
  error,
  known,
  ...rest
}: FieldTexts & {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly known: ReadonlyArray<{ readonly key: string; readonly name: string }>;
  readonly placeholder?: string;
}): ReactNode {
  const unknown = value.filter((key) => !known.some((one) => one.key === key));
  return (
    <MultiSelect
      {...rest}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={false}
      searchable
      nothingFoundMessage="No match"
      error={error ?? null}
      value={[...value]}
      data={[
        ...known.map(({ key, name }) => ({ value: key, label: name })),
        ...unknown.map((key) => ({ value: key, label: key })),
      ]}
      onChange={onChange}
    />
  );
}

/** A list with an entry per line. Empty lines stay until the form is saved. */
export function LinesField({
  value,
  onChange,
  error,
  ...rest
}: FieldTexts & {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}): ReactNode {
  const [text, setText] = useState(value.join('\n'));
  return (
    <Textarea
      {...rest}
      inputWrapperOrder={FIELD_ORDER}
      autoComplete="off"
      withAsterisk={false}
      autosize
      minRows={2}
      error={error ?? null}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(currentTarget.value.split('\n').filter((line) => line.trim() !== ''));
      }}
    />
  );
}

export function SwitchField({
  value,
  onChange,
  error,
  ...rest
}: FieldTexts & { readonly value: boolean; readonly onChange: (value: boolean) => void }): ReactNode {
  return (
    <Switch
      {...rest}
      error={error ?? null}
      checked={value}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

/** A list of numbers separated by commas. Other text stays in the field, and the service reports it. */
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
        // NaN becomes null in JSON, which the service reports as an error at its position in the list.
        onChange(words.filter((word) => word !== '').map(Number));
      }}
    />
  );
}
