// The inputs of one own field of a vertical; those that do not belong to its type are left out.
import { Checkbox, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

import type { OwnFieldForm } from '../configuration/configuration-api.ts';
import { ChoiceField, type FieldTexts, LinesField, NumberField, TextField } from '../configuration/fields.tsx';
import { membersOfEntry, valuesIn } from '../configuration/members.ts';
import { type OwnFieldType, typeWords } from '../configuration/own-field-words.ts';
import { BoundField, hasNumbers } from './bound-field.tsx';

const MEMBERS = membersOfEntry('vertical', 'fields');
const TYPES = valuesIn(MEMBERS['type'] ?? {}).map((value) => ({ value, label: typeWords[value as OwnFieldType] }));
const FLAGS = ['required', 'personal', 'delivered', 'filterable'] as const;

export function OwnFieldInputs({
  field,
  onChange,
  errorOf,
}: {
  readonly field: OwnFieldForm;
  readonly onChange: (field: OwnFieldForm) => void;
  readonly errorOf: (member: string) => string | undefined;
}): ReactNode {
  const { type } = field;
  const set = (part: Partial<OwnFieldForm>): void => onChange({ ...field, ...part });
  const texts = (member: keyof OwnFieldForm): FieldTexts => {
    const { title = member, description } = MEMBERS[member] ?? {};
    return { label: title, error: errorOf(member), ...(description === undefined ? {} : { description }) };
  };
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField
          {...texts('name')}
          description="As suppliers post it, such as roof_age."
          value={field.name}
          onChange={(name) => set({ name: name ?? '' })}
          required
        />
        <TextField {...texts('label')} value={field.label} onChange={(label) => set({ label: label ?? '' })} />
        <ChoiceField
          {...texts('type')}
          value={type}
          choices={TYPES}
          onChange={(next) => onChange(withType(field, next))}
        />
        {type === 'enum' && (
          <LinesField
            {...texts('values')}
            description="One per line. Suppliers may post them in any case."
            value={field.values}
            onChange={(values) => set({ values })}
          />
        )}
        {isBounded(type) && (
          <>
            <BoundField
              key={`min ${type}`}
              {...texts('min')}
              type={type}
              value={field.min}
              onChange={(min) => set({ min })}
            />
            <BoundField
              key={`max ${type}`}
              {...texts('max')}
              type={type}
              value={field.max}
              onChange={(max) => set({ max })}
            />
          </>
        )}
        {type === 'text' && (
          <>
            <NumberField {...texts('minLength')} value={field.minLength} onChange={(minLength) => set({ minLength })} />
            <NumberField {...texts('maxLength')} value={field.maxLength} onChange={(maxLength) => set({ maxLength })} />
          </>
        )}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        {FLAGS.map((flag) => (
          <Checkbox
            key={flag}
            label={texts(flag).label}
            description={texts(flag).description ?? 'A lead without it is rejected.'}
            error={errorOf(flag) ?? null}
            checked={field[flag]}
            onChange={({ currentTarget }) => set({ [flag]: currentTarget.checked })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function isBounded(type: OwnFieldType): boolean {
  return hasNumbers(type) || type === 'date' || type === 'datetime';
}

/** Without the members that do not belong to the new type. */
function withType(field: OwnFieldForm, type: OwnFieldType): OwnFieldForm {
  const keepsBounds = hasNumbers(type) && hasNumbers(field.type);
  return {
    ...field,
    type,
    values: type === 'enum' ? field.values : [],
    ...(keepsBounds ? {} : { min: null, max: null }),
    ...(type === 'text' ? {} : { minLength: null, maxLength: null }),
  };
}
