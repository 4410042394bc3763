// The form of a vertical: key, name, and its own fields in their order.
import { Accordion, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Section } from '../../ui/facts.tsx';
import type { OwnFieldForm, VerticalForm } from '../configuration/configuration-api.ts';
import type { Draft, Faults } from '../configuration/draft.ts';
import { KeyAndName } from '../configuration/fields.tsx';
import { newOwnField } from '../configuration/new-things.ts';
import { ownFieldTraits } from '../configuration/own-field-words.ts';
import { OwnFieldInputs } from './own-field-inputs.tsx';

type Props = { readonly draft: Draft<VerticalForm>; readonly faults: Faults; readonly isNew: boolean };

export function VerticalFields({ draft, faults, isNew }: Props): ReactNode {
  const { values, set, generation } = draft;
  return (
    <>
      <Section title="General">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <KeyAndName values={values} set={set} errorOf={faults.of} isNew={isNew} />
        </SimpleGrid>
      </Section>
      <Section title="Fields">
        <Text size="sm" c="dimmed">
          Besides the standard fields, in the order of deliveries and exports. Leads that were posted before a change
          keep the fields that they have.
        </Text>
        <FieldList
          key={generation}
          fields={values.fields}
          onChange={(fields) => set('fields', fields)}
          faults={faults}
        />
      </Section>
    </>
  );
}

let lastId = 0;
function newId(): string {
  lastId += 1;
  return String(lastId);
}

/** Rows have an id here, so that they keep their typed text and stay open when they are moved. */
function FieldList({
  fields,
  onChange,
  faults,
}: {
  readonly fields: readonly OwnFieldForm[];
  readonly onChange: (fields: readonly OwnFieldForm[]) => void;
  readonly faults: Faults;
}): ReactNode {
  const [ids, setIds] = useState<readonly string[]>(() => fields.map(newId));
  const [open, setOpen] = useState<readonly string[]>([]);
  const change = (nextIds: readonly string[], next: readonly OwnFieldForm[]): void => {
    setIds(nextIds);
    onChange(next);
  };
  const rows = fields.map((field, index) => ({
    field,
    id: ids[index] ?? '',
    errorOf: (member: string) => faults.of(`fields[${index}].${member}`),
    isFaulty: faults.of(`fields[${index}]`) !== undefined,
  }));
  const faulty = rows.flatMap(({ id, isFaulty }) => (isFaulty ? [id] : []));
  const move = (index: number, by: 1 | -1): void => change(moved(ids, index, by), moved(fields, index, by));
  const add = (): void => {
    const id = newId();
    change([...ids, id], [...fields, newOwnField]);
    setOpen([...open, id]);
  };
  const fault = faults.all.find(({ path }) => path === 'fields')?.message;
  return (
    <Stack gap="sm">
      <Accordion
        variant="separated"
        multiple
        order={3}
        value={[...new Set([...open, ...faulty])]}
        onChange={(next) => setOpen(next)}
      >
        {rows.map(({ field, id, errorOf, isFaulty }, index) => (
          <Accordion.Item key={id} value={id}>
            <Accordion.Control>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                {titleOf(field)}
              </Text>
              <Text size="sm" c={isFaulty ? 'var(--mantine-color-error)' : 'dimmed'} lineClamp={2}>
                {isFaulty ? 'Has an error' : summaryOf(field)}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="md">
                <OwnFieldInputs
                  field={field}
                  onChange={(next) => onChange(fields.with(index, next))}
                  errorOf={errorOf}
                />
                <Group gap="xs">
                  <Button
                    variant="default"
                    size="xs"
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                    aria-label={`Move up ${titleOf(field)}`}
                  >
                    Move up
                  </Button>
                  <Button
                    variant="default"
                    size="xs"
                    disabled={index === rows.length - 1}
                    onClick={() => move(index, 1)}
                    aria-label={`Move down ${titleOf(field)}`}
                  >
                    Move down
                  </Button>
                  <Button
                    variant="default"
                    size="xs"
                    onClick={() => change(ids.toSpliced(index, 1), fields.toSpliced(index, 1))}
                    aria-label={`Remove ${titleOf(field)}`}
                  >
                    Remove
                  </Button>
                </Group>
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <Group>
        <Button variant="default" size="xs" onClick={add}>
          Add field
        </Button>
        {fields.length === 0 && <Text size="sm">None: its leads have the standard fields.</Text>}
      </Group>
      {fault !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)">
          {fault}
        </Text>
      )}
    </Stack>
  );
}

function moved<Row>(rows: readonly Row[], index: number, by: 1 | -1): Row[] {
  return rows.toSpliced(index, 1).toSpliced(index + by, 0, ...rows.slice(index, index + 1));
}

function titleOf({ label, name }: OwnFieldForm): string {
  return label || name || 'New field';
}

function summaryOf(field: OwnFieldForm): string {
  const traits = ownFieldTraits(field);
  return field.label === '' || field.label === field.name ? traits : `${field.name}, ${traits}`;
}
