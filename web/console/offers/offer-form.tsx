// The form of an offer: type, vertical, price, filters, hours, caps and budgets, and booking.
import { Checkbox, Fieldset, Input, SegmentedControl, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { BookingFields } from './booking-fields.tsx';
import {
  type OfferFilters,
  type OfferForm,
  type PerWindow,
  useChoices,
  useSuppliers,
} from '../configuration/configuration-api.ts';
import type { Draft, Faults } from '../configuration/draft.ts';
import {
  ChipsField,
  ChoiceField,
  choicesOf,
  fieldsOf,
  KeyAndName,
  MoneyField,
  NamedKeysField,
  NumberField,
} from '../configuration/fields.tsx';
import { boundsOf, memberOf } from '../configuration/members.ts';
import { StatesField } from '../configuration/place-fields.tsx';
import { useVerticalRows, VerticalChoice } from '../verticals/vertical-choice.tsx';
import { HoursEditor } from './hours-editor.tsx';
import { OwnFilterFields } from './own-filter-fields.tsx';
import { filtersWithin } from './own-filters.ts';
import { newBooking, officeHours } from '../configuration/new-things.ts';

type Props = {
  readonly draft: Draft<OfferForm>;
  readonly faults: Faults;
  readonly isNew: boolean;
  readonly timeZone: string;
};

export function OfferFields(props: Props): ReactNode {
  return (
    <>
      <Basics {...props} />
      <Filters {...props} />
      <Times {...props} />
      <Limits {...props} />
      <Rejections {...props} />
      {props.draft.values.booking !== null && (
        <BookingFields
          booking={props.draft.values.booking}
          onChange={(booking) => props.draft.set('booking', booking)}
          faults={props.faults}
          timeZone={props.timeZone}
        />
      )}
    </>
  );
}

function Basics({ draft, faults, isNew }: Props): ReactNode {
  const verticals = useVerticalRows();
  const { values, set } = draft;
  const field = fieldsOf('offer', faults);
  return (
    <Section title="General">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <KeyAndName values={values} set={set} errorOf={faults.of} isNew={isNew} />
        <ChoiceField
          {...field('eventType')}
          value={values.eventType}
          choices={choicesOf('offer', 'eventType')}
          onChange={(eventType) => {
            set('eventType', eventType);
            set('booking', eventType === 'Calendar Assigned' ? (values.booking ?? newBooking) : null);
          }}
        />
        <VerticalChoice
          {...field('vertical')}
          verticals={verticals}
          value={values.vertical}
          onChange={(vertical) => {
            const fields = verticals.find(({ key }) => key === vertical)?.fields ?? [];
            set('vertical', vertical);
            set('filters', { ...values.filters, fields: filtersWithin(values.filters.fields, fields) });
          }}
        />
        <MoneyField {...field('payout')} value={values.payout} onChange={(payout) => set('payout', payout)} required />
        <ChoiceField
          {...field('status')}
          value={values.status}
          choices={choicesOf('offer', 'status')}
          onChange={(status) => set('status', status)}
        />
        <Sale draft={draft} faults={faults} />
        <NumberField
          {...field('priority')}
          value={values.priority}
          onChange={(priority) => set('priority', priority)}
        />
        <NumberField
          {...field('weight')}
          decimals={4}
          value={values.weight}
          onChange={(weight) => set('weight', weight)}
        />
      </SimpleGrid>
    </Section>
  );
}

function Sale({ draft: { values, set }, faults }: Pick<Props, 'draft' | 'faults'>): ReactNode {
  const { sale } = values;
  const field = fieldsOf('offer', faults);
  return (
    <Stack gap="xs">
      <Input.Label labelElement="div" id="offer-sale">
        {field('sale').label}
      </Input.Label>
      <SegmentedControl
        aria-labelledby="offer-sale"
        value={sale === 'exclusive' ? 'exclusive' : 'shared'}
        onChange={(next) => set('sale', next === 'exclusive' ? 'exclusive' : { sharedWith: 2 })}
        data={[
          { value: 'exclusive', label: 'Exclusive' },
          { value: 'shared', label: 'Shared' },
        ]}
      />
      {sale !== 'exclusive' && (
        <NumberField
          {...field('sale.sharedWith')}
          value={sale.sharedWith}
          onChange={(sharedWith) => set('sale', { sharedWith })}
          error={faults.of('sale')}
        />
      )}
    </Stack>
  );
}

function Filters({ draft, faults }: Props): ReactNode {
  const choices = useChoices();
  const suppliers = useSuppliers({ pageSize: 200 });
  const verticals = useVerticalRows();
  const { filters, vertical } = draft.values;
  const field = fieldsOf('offer', faults);
  const { minimum, maximum } = boundsOf('offer', 'filters.minScore');
  const set = (change: Partial<OfferFilters>): void => draft.set('filters', { ...filters, ...change });
  return (
    <Section title="Filters">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Loaded query={choices} what="Loading the states">
          {({ states, otherStates }) => (
            <>
              <StatesField
                {...field('filters.states')}
                placeholder="Any"
                {...{ states, otherStates }}
                value={filters.states}
                onChange={(next) => set({ states: next })}
              />
              <StatesField
                {...field('filters.statesNot')}
                placeholder="None"
                {...{ states, otherStates }}
                value={filters.statesNot}
                onChange={(statesNot) => set({ statesNot })}
              />
            </>
          )}
        </Loaded>
        <MoneyField
          {...field('filters.debtAmount.min')}
          placeholder="Any"
          value={filters.debtAmount.min}
          onChange={(min) => set({ debtAmount: { ...filters.debtAmount, min } })}
        />
        <MoneyField
          {...field('filters.debtAmount.max')}
          placeholder="Any"
          value={filters.debtAmount.max}
          onChange={(max) => set({ debtAmount: { ...filters.debtAmount, max } })}
        />
        <NumberField
          {...field('filters.minScore')}
          description={`${minimum} to ${maximum}.`}
          placeholder="Any"
          value={filters.minScore}
          onChange={(minScore) => set({ minScore })}
        />
        <Fieldset legend="Only leads with">
          <Stack gap="xs">
            {(
              [
                ['requireConsent', 'Consent to be called'],
                ['requireEmail', 'An email address'],
                ['requirePhone', 'A phone number'],
              ] as const
            ).map(([name, label]) => (
              <Checkbox
                key={name}
                label={label}
                checked={filters[name]}
                onChange={({ currentTarget }) => set({ [name]: currentTarget.checked })}
              />
            ))}
          </Stack>
        </Fieldset>
        {(
          [
            ['suppliers', 'Any'],
            ['suppliersNot', 'None'],
          ] as const
        ).map(([name, placeholder]) => (
          <NamedKeysField
            key={name}
            {...field(`filters.${name}`)}
            description="Choose by name."
            placeholder={filters[name].length === 0 ? placeholder : ''}
            known={suppliers.data?.data ?? []}
            value={filters[name]}
            onChange={(next) => set({ [name]: next })}
          />
        ))}
        {(
          [
            ['sources', 'Any'],
            ['sourcesNot', 'None'],
          ] as const
        ).map(([name, placeholder]) => (
          <ChipsField
            key={name}
            {...field(`filters.${name}`)}
            description={`${memberOf('offer', `filters.${name}`).description} Press Enter after each one.`}
            placeholder={filters[name].length === 0 ? placeholder : ''}
            value={filters[name]}
            onChange={(next) => set({ [name]: next })}
          />
        ))}
      </SimpleGrid>
      {(vertical !== null || Object.keys(filters.fields).length > 0) && (
        <OwnFilterFields
          // With a vertical that was loaded later or that is another one, the inputs begin anew.
          key={`${vertical ?? ''} ${verticals.length} ${draft.generation}`}
          fields={verticals.find(({ key }) => key === vertical)?.fields ?? []}
          filters={filters.fields}
          onChange={(fields) => set({ fields })}
          faults={faults}
        />
      )}
    </Section>
  );
}

function Times({ draft: { values, set }, faults, timeZone }: Props): ReactNode {
  return (
    <Section title="Schedule">
      <Switch
        label="Always open"
        checked={values.schedule === null}
        onChange={({ currentTarget }) => set('schedule', currentTarget.checked ? null : [officeHours])}
      />
      {values.schedule !== null && (
        <HoursEditor
          label={`Open hours, in ${timeZone}`}
          hours={values.schedule}
          onChange={(schedule) => set('schedule', schedule)}
          path="schedule"
          faults={faults}
        />
      )}
      {faults.of('schedule') !== undefined && values.schedule?.length === 0 && (
        <Text size="xs" c="var(--mantine-color-error)">
          {faults.of('schedule')}
        </Text>
      )}
    </Section>
  );
}

const WINDOWS = ['daily', 'weekly', 'monthly'] as const;

function Limits({ draft: { values, set }, faults }: Props): ReactNode {
  const field = fieldsOf('offer', faults);
  const change = (name: 'caps' | 'budget', part: Partial<PerWindow>): void => set(name, { ...values[name], ...part });
  return (
    <Section title="Caps and budgets">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {WINDOWS.map((window) => (
          <NumberField
            key={window}
            {...field(`caps.${window}`)}
            placeholder="No limit"
            value={values.caps[window]}
            onChange={(limit) => change('caps', { [window]: limit })}
          />
        ))}
        {WINDOWS.map((window) => (
          <MoneyField
            key={window}
            {...field(`budget.${window}`)}
            placeholder="No limit"
            value={values.budget[window]}
            onChange={(limit) => change('budget', { [window]: limit })}
          />
        ))}
        <ChoiceField
          {...field('pacing')}
          value={values.pacing}
          choices={choicesOf('offer', 'pacing')}
          onChange={(pacing) => set('pacing', pacing)}
        />
      </SimpleGrid>
    </Section>
  );
}

function Rejections({ draft: { values, set }, faults }: Props): ReactNode {
  const { rejections } = values;
  const field = fieldsOf('offer', faults);
  return (
    <Section title="Rejections">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          {...field('rejections.pauseAbove')}
          placeholder="As the marketplace"
          value={rejections.pauseAbove}
          onChange={(pauseAbove) => set('rejections', { ...rejections, pauseAbove })}
        />
        <NumberField
          {...field('rejections.responses')}
          placeholder="As the marketplace"
          value={rejections.responses}
          onChange={(responses) => set('rejections', { ...rejections, responses })}
        />
      </SimpleGrid>
    </Section>
  );
}
