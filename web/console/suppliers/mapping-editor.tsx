// The editor of a supplier's field mapping: its field names with the lead fields that they stand for, conversions, and constants.
import { ActionIcon, Button, Checkbox, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { type ReactNode, useState } from 'react';

import type { Choices } from '../../../src/console/configuration.schema.ts';
import type { Mapping } from '../configuration/configuration-api.ts';
import type { Faults } from '../configuration/draft.ts';
import { MappingSample, type OfVerticals } from './mapping-sample.tsx';

type Row = {
  readonly id: number;
  readonly name: string;
  readonly to: string;
  readonly transform: string;
  /** Empty where the transform takes none, or its default. */
  readonly format: string;
  readonly timeZone: string;
  readonly orNothing: boolean;
};
type Constant = { readonly id: number; readonly field: string; readonly value: string };

const CONSTANTS = '$set';

const TRANSFORMS: Readonly<Record<string, string>> = {
  trim: 'trim spaces',
  upper: 'uppercase',
  lower: 'lowercase',
  digits: 'digits only',
  us_phone: 'US phone number',
  state_name: 'state name to code',
  money: 'amount',
  epoch_s: 'Unix time (seconds)',
  epoch_ms: 'Unix time (milliseconds)',
  time: 'time as written',
  date: 'day as written',
  boolean: 'yes or no',
  public_ip: 'first public address',
};

const NEW_ROW = { name: '', to: '', transform: '', format: '', timeZone: '', orNothing: false };

let lastId = 0;
function newId(): number {
  lastId += 1;
  return lastId;
}

/** The first of two rows for one field wins, so their order is kept. Rows without a name are not part of the mapping yet. */
export function MappingEditor({
  mapping,
  onChange,
  choices,
  of,
  faults,
}: {
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
  readonly choices: Choices;
  readonly of: OfVerticals;
  readonly faults: Faults;
}): ReactNode {
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(mapping));
  const [constants, setConstants] = useState<readonly Constant[]>(() => constantsOf(mapping));
  const change = (nextRows: readonly Row[], nextConstants: readonly Constant[]): void => {
    setRows(nextRows);
    setConstants(nextConstants);
    onChange(mappingOf(nextRows, nextConstants, choices.transformOptions));
  };
  const changeRow = (row: Row): void =>
    change(
      rows.map((other) => (other.id === row.id ? row : other)),
      constants,
    );
  const changeConstant = (constant: Constant): void =>
    change(
      rows,
      constants.map((other) => (other.id === constant.id ? constant : other)),
    );
  const fault = faults.of('fieldMapping');
  return (
    <Fieldset legend="Field mapping">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Fields without a mapping keep their names. A dot addresses a nested field, such as contact.name; an entry of a
          list is addressed by one of its members, such as field_data[name=email].values.0.
        </Text>
        <MappingSample
          mapping={mapping}
          of={of}
          onSuggest={(suggested) => change([...rows, ...rowsOf(suggested)], constants)}
          onMap={(name) => change([...rows, { ...NEW_ROW, id: newId(), name }], constants)}
        />
        {rows.map((row, index) => (
          <NameRow
            key={row.id}
            row={row}
            number={index + 1}
            choices={choices}
            onChange={changeRow}
            onRemove={() =>
              change(
                rows.filter(({ id }) => id !== row.id),
                constants,
              )
            }
          />
        ))}
        {constants.map((constant, index) => (
          <ConstantRow
            key={constant.id}
            constant={constant}
            number={index + 1}
            choices={choices}
            onChange={changeConstant}
            onRemove={() =>
              change(
                rows,
                constants.filter(({ id }) => id !== constant.id),
              )
            }
          />
        ))}
        <Group gap="sm">
          <Button variant="default" size="xs" onClick={() => change([...rows, { ...NEW_ROW, id: newId() }], constants)}>
            Add mapping
          </Button>
          <Button
            variant="default"
            size="xs"
            onClick={() => change(rows, [...constants, { id: newId(), field: '', value: '' }])}
          >
            Add constant
          </Button>
        </Group>
        {fault !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)">
            {fault}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}

const WIDTH = { maw: 220, flex: '1 1 140px' };
// On narrow screens a row wraps to several lines, so a border separates the rows.
const ROW_END = { borderBottom: '1px solid var(--mantine-color-default-border)' };

function NameRow({
  row,
  number,
  choices,
  onChange,
  onRemove,
}: {
  readonly row: Row;
  readonly number: number;
  readonly choices: Choices;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const options = choices.transformOptions[row.transform] ?? [];
  const transforms = choices.mappingTransforms.map((name) => ({ value: name, label: TRANSFORMS[name] ?? name }));
  return (
    <Group gap="xs" align="flex-end" pb="sm" style={ROW_END} role="group" aria-label={`Mapping ${number}`}>
      <TextInput
        label="Supplier’s field"
        value={row.name}
        onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
        {...WIDTH}
      />
      <Select
        label="Lead field"
        value={row.to === '' ? null : row.to}
        data={[...choices.mappingTargets]}
        searchable
        onChange={(to) => onChange({ ...row, to: to ?? '' })}
        {...WIDTH}
      />
      <Select
        label="Conversion"
        value={row.transform}
        data={[{ value: '', label: 'none' }, ...transforms]}
        allowDeselect={false}
        onChange={(transform) => onChange({ ...row, transform: transform ?? '' })}
        {...WIDTH}
      />
      {options.includes('format') && (
        <TextInput
          label="Format"
          placeholder="MM/DD/YYYY h:mm A"
          value={row.format}
          onChange={({ currentTarget }) => onChange({ ...row, format: currentTarget.value })}
          {...WIDTH}
        />
      )}
      {options.includes('timeZone') && (
        <TextInput
          label="Time zone"
          placeholder="UTC"
          value={row.timeZone}
          onChange={({ currentTarget }) => onChange({ ...row, timeZone: currentTarget.value })}
          {...WIDTH}
        />
      )}
      <Checkbox
        label="Leave out if unreadable"
        checked={row.orNothing}
        onChange={({ currentTarget }) => onChange({ ...row, orNothing: currentTarget.checked })}
        mb={8}
      />
      <Remove what={`mapping ${number}`} onClick={onRemove} />
    </Group>
  );
}

function ConstantRow({
  constant,
  number,
  choices,
  onChange,
  onRemove,
}: {
  readonly constant: Constant;
  readonly number: number;
  readonly choices: Choices;
  readonly onChange: (constant: Constant) => void;
  readonly onRemove: () => void;
}): ReactNode {
  return (
    <Group gap="xs" align="flex-end" pb="sm" style={ROW_END} role="group" aria-label={`Constant ${number}`}>
      <Select
        label="Lead field"
        value={constant.field === '' ? null : constant.field}
        data={[...choices.mappingTargets]}
        searchable
        onChange={(field) => onChange({ ...constant, field: field ?? '' })}
        {...WIDTH}
      />
      <TextInput
        label="Value"
        value={constant.value}
        onChange={({ currentTarget }) => onChange({ ...constant, value: currentTarget.value })}
        {...WIDTH}
      />
      <Remove what={`constant ${number}`} onClick={onRemove} />
    </Group>
  );
}

function Remove({ what, onClick }: { readonly what: string; readonly onClick: () => void }): ReactNode {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" onClick={onClick} aria-label={`Remove ${what}`}>
      <Cross2Icon aria-hidden="true" />
    </ActionIcon>
  );
}

function rowsOf(mapping: Mapping): Row[] {
  return Object.entries(mapping).flatMap(([name, entry]): Row[] => {
    if (name === CONSTANTS) return [];
    if (typeof entry === 'string') return [{ ...NEW_ROW, id: newId(), name, to: entry }];
    const stated = entry as Partial<Omit<Row, 'id' | 'name'>>;
    return [{ ...NEW_ROW, ...stated, id: newId(), name }];
  });
}

function constantsOf(mapping: Mapping): Constant[] {
  return Object.entries(mapping[CONSTANTS] ?? {}).map(([field, value]) => ({
    id: newId(),
    field,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

function mappingOf(
  rows: readonly Row[],
  constants: readonly Constant[],
  transformOptions: Choices['transformOptions'],
): Mapping {
  const named = rows.filter(({ name, to }) => name !== '' && to !== '');
  const set = constants.filter(({ field }) => field !== '');
  return {
    ...Object.fromEntries(named.map((row) => [row.name, entryOf(row, transformOptions[row.transform] ?? [])] as const)),
    ...(set.length === 0
      ? {}
      : { [CONSTANTS]: Object.fromEntries(set.map(({ field, value }) => [field, constantOf(value)])) }),
  };
}

function entryOf(
  { to, transform, orNothing, ...row }: Row,
  options: ReadonlyArray<'format' | 'timeZone'>,
): Mapping[string] {
  const stated = options.flatMap((name) => (row[name].trim() === '' ? [] : [[name, row[name].trim()] as const]));
  if (transform === '' && !orNothing) return to;
  return {
    to,
    ...(transform === '' ? {} : { transform }),
    ...Object.fromEntries(stated),
    ...(orNothing ? { orNothing } : {}),
  };
}

/** Reads true, false and plain numbers as such, like the marketplace file. */
function constantOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(text) ? Number(text) : text;
}
