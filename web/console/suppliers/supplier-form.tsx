// Every member of a supplier: who it is, how fast it may post, what its fields mean, and what it is told.
import { Checkbox, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { type SupplierForm, useChoices } from '../configuration/configuration-api.ts';
import type { Draft, Faults } from '../configuration/draft.ts';
import { ChoiceField, KeyAndName, NumberField, TextField } from '../configuration/fields.tsx';
import { MappingEditor } from './mapping-editor.tsx';

type Props = { readonly draft: Draft<SupplierForm>; readonly faults: Faults; readonly isNew: boolean };

const EVENTS = [
  ['lead.processing_error', 'A lead could not be processed'],
  ['lead.routed', 'A lead was sold'],
  ['lead.rejected', 'Nobody bought a lead'],
  ['lead.returned', 'A lead was returned'],
] as const;

export function SupplierFields(props: Props): ReactNode {
  const choices = useChoices();
  const { values, set, generation } = props.draft;
  return (
    <>
      <Basics {...props} />
      <Callback {...props} />
      <Section title="What its fields mean">
        <Loaded query={choices} what="Loading the fields">
          {(known) => (
            <MappingEditor
              key={generation}
              mapping={values.fieldMapping}
              onChange={(mapping) => set('fieldMapping', mapping)}
              choices={known}
              faults={props.faults}
            />
          )}
        </Loaded>
      </Section>
    </>
  );
}

function Basics({ draft: { values, set }, faults, isNew }: Props): ReactNode {
  const { rateLimit } = values;
  return (
    <Section title="The supplier">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <KeyAndName values={values} set={set} errorOf={faults.of} isNew={isNew} />
        <ChoiceField
          label="Status"
          description="Only approved suppliers may post leads."
          value={values.status}
          choices={[
            { value: 'pending', label: 'Pending' },
            { value: 'approved', label: 'Approved' },
            { value: 'suspended', label: 'Suspended' },
          ]}
          onChange={(status) => set('status', status)}
          error={faults.of('status')}
        />
        <NumberField
          label="Requests per second"
          decimals={2}
          value={rateLimit.perSecond}
          onChange={(perSecond) => set('rateLimit', { ...rateLimit, perSecond })}
          error={faults.of('rateLimit.perSecond')}
        />
        <NumberField
          label="Requests at once"
          value={rateLimit.burst}
          onChange={(burst) => set('rateLimit', { ...rateLimit, burst })}
          error={faults.of('rateLimit.burst')}
        />
      </SimpleGrid>
    </Section>
  );
}

function Callback({ draft: { values, set }, faults }: Props): ReactNode {
  const { callback } = values;
  const events = callback?.events ?? [];
  return (
    <Section title="What it is told">
      <Stack>
        <TextField
          label="Callback address"
          description="Without one nothing is sent."
          placeholder="https://"
          value={callback?.url ?? null}
          onChange={(url) =>
            set(
              'callback',
              url === null ? null : { url, events: callback === null ? ['lead.processing_error'] : events },
            )
          }
          error={faults.of('callback.url') ?? faults.of('callback')}
        />
        {callback !== null && (
          <Checkbox.Group
            label="Sent when"
            value={[...events]}
            onChange={(names) =>
              set('callback', {
                ...callback,
                events: EVENTS.map(([event]) => event).filter((event) => names.includes(event)),
              })
            }
            error={faults.of('callback.events') ?? null}
          >
            <Stack gap="xs" mt="xs">
              {EVENTS.map(([event, words]) => (
                <Checkbox key={event} value={event} label={words} description={event} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
      </Stack>
    </Section>
  );
}
