// The inputs of an offer's filters on the fields of its vertical: only filterable fields are offered, with the conditions that fit their types.
import { Button, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { OwnFieldForm, OwnFilter, OwnFilters, OwnFilterValues } from '../configuration/configuration-api.ts';
import type { Faults } from '../configuration/draft.ts';
import { ChipsField, ChoiceField, FIELD_ORDER, type FieldTexts } from '../configuration/fields.tsx';
import { BoundField, boundOf, hasNumbers } from '../verticals/bound-field.tsx';
import { withFilter } from './own-filters.ts';

type Filterable = Pick<OwnFieldForm, 'name' | 'label' | 'type' | 'values'>;

export function OwnFilterFields({
  fields,
  filters,
  onChange,
  faults,
}: {
  readonly fields: readonly OwnFieldForm[];
  readonly filters: OwnFilters;
  readonly onChange: (filters: OwnFilters) => void;
  readonly faults: Faults;
}): ReactNode {
  const filterable = fields.filter((field) => field.filterable);
  // A filter without a condition is not part of the offer, so fields that were just added are remembered here.
  const [added, setAdded] = useState<readonly string[]>([]);
  const names = new Set([...Object.keys(filters), ...added]);
  const rest = filterable.filter(({ name }) => !names.has(name));
  const lost = Object.keys(filters).filter((name) => !filterable.some((field) => field.name === name));
  const remove = (removed: string): void => {
    setAdded(added.filter((name) => name !== removed));
    onChange(withFilter(filters, removed, {}));
  };
  return (
    <Stack gap="md">
      {filterable
        .filter(({ name }) => names.has(name))
        .map((field) => (
          <Stack
            key={field.name}
            gap="xs"
            pb="sm"
            style={ROW_END}
            role="group"
            aria-label={`Filter on ${titleOf(field)}`}
          >
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Conditions
                field={field}
                filter={filters[field.name] ?? {}}
                onChange={(filter) => onChange(withFilter(filters, field.name, filter))}
                errorOf={(member) => faults.of(`filters.fields.${field.name}.${member}`)}
              />
            </SimpleGrid>
            <div>
              <RemoveFilter title={titleOf(field)} onRemove={() => remove(field.name)} />
            </div>
          </Stack>
        ))}
      {lost.map((name) => (
        <div key={name} role="group" aria-label={`Filter on ${name}`}>
          <Text size="sm" c="var(--mantine-color-error)" mb={4}>
            {faults.of(`filters.fields.${name}`) ?? `The vertical has no field ${name} that offers may filter on.`}
          </Text>
          <RemoveFilter title={name} onRemove={() => remove(name)} />
        </div>
      ))}
      {rest.length > 0 && (
        <Select
          label="Add a filter"
          placeholder="Choose a field"
          searchable
          value={null}
          data={rest.map((field) => ({ value: field.name, label: titleOf(field) }))}
          onChange={(name) => {
            if (name !== null) setAdded([...added, name]);
          }}
          maw={320}
        />
      )}
      {filterable.length === 0 && <Text size="sm">The vertical has no field that offers may filter on.</Text>}
    </Stack>
  );
}

/** A filter has several lines of inputs, so a border separates it from the next one. */
const ROW_END = { borderBottom: '1px solid var(--mantine-color-default-border)' };

function titleOf({ label, name }: Filterable): string {
  return label === '' ? name : label;
}

function RemoveFilter({ title, onRemove }: { readonly title: string; readonly onRemove: () => void }): ReactNode {
  return (
    <Button variant="default" size="xs" onClick={onRemove} aria-label={`Remove filter on ${title}`}>
      Remove filter
    </Button>
  );
}

type ConditionProps = {
  readonly field: Filterable;
  readonly filter: OwnFilter;
  readonly onChange: (filter: OwnFilter) => void;
  readonly errorOf: (member: keyof OwnFilter) => string | undefined;
};

function Conditions({ field, filter, onChange, errorOf }: ConditionProps): ReactNode {
  const { type } = field;
  const title = titleOf(field);
  if (type === 'boolean') return <Truth {...{ field, filter, onChange, errorOf }} />;
  const hasBounds = hasNumbers(type) || type === 'date' || type === 'datetime';
  const setBound = (member: 'min' | 'max', bound: string | number | null): void => {
    const { [member]: _old, ...others } = filter;
    onChange(bound === null ? others : { ...others, [member]: bound });
  };
  return (
    <>
      {hasBounds && (
        <>
          <BoundField
            label={`${title}, minimum`}
            type={type}
            placeholder="Any"
            value={filter.min ?? null}
            onChange={(min) => setBound('min', min)}
            error={errorOf('min')}
          />
          <BoundField
            label={`${title}, maximum`}
            type={type}
            placeholder="Any"
            value={filter.max ?? null}
            onChange={(max) => setBound('max', max)}
            error={errorOf('max')}
          />
        </>
      )}
      {type !== 'datetime' && (
        <>
          <ValuesField
            label={`${title}, any of`}
            placeholder="Any"
            field={field}
            values={filter.in ?? []}
            onChange={(values) => onChange({ ...filter, in: values })}
            error={errorOf('in')}
          />
          <ValuesField
            label={`${title}, none of`}
            placeholder="None"
            field={field}
            values={filter.notIn ?? []}
            onChange={(values) => onChange({ ...filter, notIn: values })}
            error={errorOf('notIn')}
          />
        </>
      )}
    </>
  );
}

const TRUTHS = [
  { value: 'any', label: 'Any' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

function Truth({ field, filter: { is }, onChange, errorOf }: ConditionProps): ReactNode {
  return (
    <ChoiceField
      label={titleOf(field)}
      value={is === undefined ? 'any' : is ? 'yes' : 'no'}
      choices={TRUTHS}
      onChange={(next) => onChange(next === 'any' ? {} : { is: next === 'yes' })}
      error={errorOf('is')}
    />
  );
}

type ValuesProps = FieldTexts & {
  readonly placeholder: string;
  readonly field: Filterable;
  readonly values: OwnFilterValues;
  readonly onChange: (values: OwnFilterValues) => void;
};

function ValuesField({ field, values, placeholder, onChange, ...texts }: ValuesProps): ReactNode {
  const { type, values: known } = field;
  if (type === 'zip') return <ZipCodes {...texts} placeholder={placeholder} values={values} onChange={onChange} />;
  return (
    <ChipsField
      {...texts}
      description={type === 'enum' ? 'Choose from the list.' : 'Press Enter after each one.'}
      placeholder={values.length === 0 ? placeholder : ''}
      known={known}
      value={values.map(String)}
      onChange={(next) => onChange(next.map((text) => boundOf(text, type)))}
    />
  );
}

const LINES_MAX = 8;

/** As text, because a list of a radius has hundreds of codes and is pasted. */
function ZipCodes({ values, onChange, error, ...texts }: Omit<ValuesProps, 'field'>): ReactNode {
  const [text, setText] = useState(values.join('\n'));
  return (
    <Textarea
      {...texts}
      description="One per line: a code such as 94110, or its beginning with a star such as 941*."
      inputWrapperOrder={FIELD_ORDER}
      autoComplete="off"
      autosize
      minRows={2}
      maxRows={LINES_MAX}
      error={error ?? null}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        const codes = currentTarget.value.split(/[\n,;]/).map((code) => code.trim());
        onChange([...new Set(codes.filter((code) => code !== ''))]);
      }}
    />
  );
}
