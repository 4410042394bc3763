// The form of a supplier: name, verticals, rate limit, time zone, pay, field mapping and callbacks.
import { Checkbox, MultiSelect, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

import type { VerticalRow } from '../../../src/console/verticals.schema.ts';
import { Section } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { type SupplierForm, useChoices } from '../configuration/configuration-api.ts';
import type { Draft, Faults } from '../configuration/draft.ts';
import {
  ChoiceField,
  choicesOf,
  FIELD_ORDER,
  fieldsOf,
  KeyAndName,
  NumberField,
  TextField,
} from '../configuration/fields.tsx';
import { memberOf } from '../configuration/members.ts';
import { TimeZoneField } from '../configuration/place-fields.tsx';
import { useVerticalRows, verticalChoices, VerticalChoice } from '../verticals/vertical-choice.tsx';
import { MappingEditor } from './mapping-editor.tsx';
import { PayEditor } from './pay-editor.tsx';

type Props = { readonly draft: Draft<SupplierForm>; readonly faults: Faults; readonly isNew: boolean };

const EVENTS = choicesOf('supplier', 'callback.events');

export function SupplierFields(props: Props): ReactNode {
  const choices = useChoices();
  const verticals = useVerticalRows();
  const { values, set, generation } = props.draft;
  const own = mappingTargets(verticals, [...(values.vertical === null ? [] : [values.vertical]), ...values.verticals]);
  return (
    <>
      <Basics {...props} />
      <PayEditor pay={values.pay} onChange={(pay) => set('pay', pay)} choices={choices} faults={props.faults} />
      <Callback {...props} />
      <Section title="Incoming fields">
        <Loaded query={choices} what="Loading the fields">
          {(known) => (
            <MappingEditor
              key={generation}
              mapping={values.fieldMapping}
              onChange={(mapping) => set('fieldMapping', mapping)}
              choices={{ ...known, mappingTargets: [...known.mappingTargets, ...own] }}
              of={{ vertical: values.vertical, verticals: [...values.verticals] }}
              faults={props.faults}
            />
          )}
        </Loaded>
      </Section>
    </>
  );
}

/** What a mapping may name besides the standard fields. */
function mappingTargets(verticals: readonly VerticalRow[], keys: readonly string[]): string[] {
  const fields = verticals.filter(({ key }) => keys.includes(key)).flatMap((vertical) => vertical.fields);
  return verticals.length === 0 ? [] : [...new Set(['vertical', ...fields.map(({ name }) => name)])];
}

function Basics({ draft: { values, set }, faults, isNew }: Props): ReactNode {
  const verticals = useVerticalRows();
  const { rateLimit } = values;
  const field = fieldsOf('supplier', faults);
  return (
    <Section title="General">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <KeyAndName values={values} set={set} errorOf={faults.of} isNew={isNew} />
        <ChoiceField
          {...field('status')}
          value={values.status}
          choices={choicesOf('supplier', 'status')}
          onChange={(status) => set('status', status)}
        />
        <VerticalChoice
          {...field('vertical')}
          verticals={verticals}
          value={values.vertical}
          onChange={(vertical) => {
            set('vertical', vertical);
            set(
              'verticals',
              values.verticals.filter((key) => key !== vertical),
            );
          }}
        />
        {verticals.length > 0 && (
          <MultiSelect
            {...field('verticals')}
            error={faults.of('verticals') ?? null}
            inputWrapperOrder={FIELD_ORDER}
            placeholder={values.verticals.length === 0 ? 'None' : ''}
            data={verticalChoices(
              verticals.filter(({ key }) => key !== values.vertical),
              values.verticals,
            )}
            value={[...values.verticals]}
            // Sorted like the file, so that adding one and removing it again is no change.
            onChange={(keys) => set('verticals', keys.toSorted())}
            hidePickedOptions
          />
        )}
        <NumberField
          {...field('rateLimit.perSecond')}
          decimals={2}
          value={rateLimit.perSecond}
          onChange={(perSecond) => set('rateLimit', { ...rateLimit, perSecond })}
        />
        <NumberField
          {...field('rateLimit.burst')}
          value={rateLimit.burst}
          onChange={(burst) => set('rateLimit', { ...rateLimit, burst })}
        />
        <TimeZoneField {...field('timeZone')} value={values.timeZone} onChange={(zone) => set('timeZone', zone)} />
      </SimpleGrid>
    </Section>
  );
}

function Callback({ draft: { values, set }, faults }: Props): ReactNode {
  const { callback } = values;
  const events = callback?.events ?? [];
  const newEvents = (memberOf('supplier', 'callback.events').default ?? []) as readonly string[];
  const field = fieldsOf('supplier', faults);
  return (
    <Section title="Callbacks">
      <Stack>
        <TextField
          {...field('callback.url')}
          description="Leave it empty to send no callbacks."
          placeholder="https://"
          value={callback?.url ?? null}
          onChange={(url) =>
            set('callback', url === null ? null : { url, events: callback === null ? newEvents : events })
          }
          error={faults.of('callback.url') ?? faults.of('callback')}
        />
        {callback !== null && (
          <Checkbox.Group
            {...field('callback.events')}
            value={[...events]}
            onChange={(names) =>
              set('callback', {
                ...callback,
                events: EVENTS.map(({ value }) => value).filter((event) => names.includes(event)),
              })
            }
          >
            <Stack gap="xs" mt="xs">
              {EVENTS.map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} description={value} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
      </Stack>
    </Section>
  );
}
