// Every member of an offer: what is bought, from whom, when, how much of it, and how a call is booked.
import {
  Checkbox,
  Fieldset,
  Input,
  MultiSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Text,
} from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { BookingFields } from './booking-fields.tsx';
import type { Choices } from '../../../src/console/configuration.schema.ts';
import {
  type OfferFilters,
  type OfferForm,
  type PerWindow,
  useChoices,
  useSuppliers,
} from '../configuration/configuration-api.ts';
import type { Draft, Faults } from '../configuration/draft.ts';
import { ChipsField, ChoiceField, FIELD_ORDER, KeyAndName, MoneyField, NumberField } from '../configuration/fields.tsx';
import { HoursEditor } from './hours-editor.tsx';
import { newBooking } from '../configuration/new-things.ts';

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
  const { values, set } = draft;
  return (
    <Section title="The offer">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <KeyAndName values={values} set={set} errorOf={faults.of} isNew={isNew} />
        <ChoiceField
          label="Sells"
          value={values.eventType}
          choices={[
            { value: 'Lead Sale', label: 'Leads' },
            { value: 'Calendar Assigned', label: 'Booked calls' },
          ]}
          onChange={(eventType) => {
            set('eventType', eventType);
            set('booking', eventType === 'Calendar Assigned' ? (values.booking ?? newBooking) : null);
          }}
          error={faults.of('eventType')}
        />
        <MoneyField
          label="Price"
          description="What the partner pays for each."
          value={values.payout}
          onChange={(payout) => set('payout', payout)}
          error={faults.of('payout')}
          required
        />
        <ChoiceField
          label="Status"
          value={values.status}
          choices={[
            { value: 'active', label: 'Active' },
            { value: 'paused', label: 'Paused' },
            { value: 'closed', label: 'Closed' },
          ]}
          onChange={(status) => set('status', status)}
          error={faults.of('status')}
        />
        <Sale draft={draft} faults={faults} />
        <NumberField
          label="Priority"
          description="Offers with the lowest number are tried first."
          value={values.priority}
          onChange={(priority) => set('priority', priority)}
          error={faults.of('priority')}
        />
        <NumberField
          label="Weight"
          description="Its share, where the marketplace chooses by weight."
          decimals={4}
          value={values.weight}
          onChange={(weight) => set('weight', weight)}
          error={faults.of('weight')}
        />
      </SimpleGrid>
    </Section>
  );
}

function Sale({ draft: { values, set }, faults }: Pick<Props, 'draft' | 'faults'>): ReactNode {
  const { sale } = values;
  return (
    <Stack gap="xs">
      <Input.Label labelElement="div" id="offer-sale">
        Sale
      </Input.Label>
      <SegmentedControl
        aria-labelledby="offer-sale"
        value={sale === 'exclusive' ? 'exclusive' : 'shared'}
        onChange={(next) => set('sale', next === 'exclusive' ? 'exclusive' : { sharedWith: 2 })}
        data={[
          { value: 'exclusive', label: 'To this partner alone' },
          { value: 'shared', label: 'Shared' },
        ]}
      />
      {sale !== 'exclusive' && (
        <NumberField
          label="Buyers of a lead, at most"
          description="This partner among them."
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
  const { filters } = draft.values;
  const set = (change: Partial<OfferFilters>): void => draft.set('filters', { ...filters, ...change });
  const known = suppliers.data?.data.map(({ key }) => key) ?? [];
  return (
    <Section title="Which leads">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Loaded query={choices} what="Loading the states">
          {({ states, otherStates }) => (
            <>
              <StatesField
                label="States"
                placeholder="Any"
                {...{ states, otherStates }}
                value={filters.states}
                onChange={(next) => set({ states: next })}
                error={faults.of('filters.states')}
              />
              <StatesField
                label="States left out"
                placeholder="None"
                {...{ states, otherStates }}
                value={filters.statesNot}
                onChange={(statesNot) => set({ statesNot })}
                error={faults.of('filters.statesNot')}
              />
            </>
          )}
        </Loaded>
        <MoneyField
          label="Debt, at least"
          placeholder="Any"
          value={filters.debtAmount.min}
          onChange={(min) => set({ debtAmount: { ...filters.debtAmount, min } })}
          error={faults.of('filters.debtAmount.min')}
        />
        <MoneyField
          label="Debt, at most"
          placeholder="Any"
          value={filters.debtAmount.max}
          onChange={(max) => set({ debtAmount: { ...filters.debtAmount, max } })}
          error={faults.of('filters.debtAmount.max')}
        />
        <NumberField
          label="Score, at least"
          description="0 to 100."
          placeholder="Any"
          value={filters.minScore}
          onChange={(minScore) => set({ minScore })}
          error={faults.of('filters.minScore')}
        />
        <Fieldset legend="Only leads with">
          <Stack gap="xs">
            {(
              [
                ['requireConsent', 'Consent to be called'],
                ['requireEmail', 'An e-mail address'],
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
            ['suppliers', 'Suppliers', 'Any', known],
            ['suppliersNot', 'Suppliers left out', 'None', known],
            ['sources', 'Sources', 'Any', []],
            ['sourcesNot', 'Sources left out', 'None', []],
          ] as const
        ).map(([name, label, placeholder, data]) => (
          <ChipsField
            key={name}
            label={label}
            placeholder={filters[name].length === 0 ? placeholder : ''}
            description={
              data === known ? 'Keys of suppliers.' : 'As the supplier names them. Press Enter after each one.'
            }
            known={data}
            value={filters[name]}
            onChange={(next) => set({ [name]: next })}
            error={faults.of(`filters.${name}`)}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function StatesField({
  label,
  placeholder,
  states,
  otherStates,
  value,
  onChange,
  error,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly states: Choices['states'];
  readonly otherStates: boolean;
  readonly value: readonly string[];
  readonly onChange: (states: readonly string[]) => void;
  readonly error: string | undefined;
}): ReactNode {
  if (otherStates) {
    return (
      <ChipsField
        label={label}
        placeholder={value.length === 0 ? placeholder : ''}
        description="Two letters each. Press Enter after each one."
        known={states.map(({ code }) => code)}
        value={value}
        onChange={(next) => onChange(next.map((code) => code.toUpperCase()).toSorted())}
        error={error}
      />
    );
  }
  return (
    <MultiSelect
      label={label}
      placeholder={value.length === 0 ? placeholder : ''}
      data={states.map(({ code, name }) => ({ value: code, label: `${code} ${name}` }))}
      value={[...value]}
      // In the order of the file, so that picking one and taking it back changes nothing.
      onChange={(next) => onChange(next.toSorted())}
      inputWrapperOrder={FIELD_ORDER}
      searchable
      clearable
      hidePickedOptions
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      error={error ?? null}
    />
  );
}

function Times({ draft: { values, set }, faults, timeZone }: Props): ReactNode {
  return (
    <Section title="When">
      <Switch
        label="Open all the time"
        checked={values.schedule === null}
        onChange={({ currentTarget }) =>
          set(
            'schedule',
            currentTarget.checked ? null : [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
          )
        }
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

const WINDOWS = [
  ['daily', 'a day'],
  ['weekly', 'a week'],
  ['monthly', 'a month'],
] as const;

function Limits({ draft: { values, set }, faults }: Props): ReactNode {
  const change = (name: 'caps' | 'budget', part: Partial<PerWindow>): void => set(name, { ...values[name], ...part });
  return (
    <Section title="How much">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {WINDOWS.map(([window, words]) => (
          <NumberField
            key={window}
            label={`Leads ${words}, at most`}
            placeholder="No limit"
            value={values.caps[window]}
            onChange={(limit) => change('caps', { [window]: limit })}
            error={faults.of(`caps.${window}`)}
          />
        ))}
        {WINDOWS.map(([window, words]) => (
          <MoneyField
            key={window}
            label={`Budget ${words}`}
            placeholder="No limit"
            value={values.budget[window]}
            onChange={(limit) => change('budget', { [window]: limit })}
            error={faults.of(`budget.${window}`)}
          />
        ))}
        <ChoiceField
          label="Pacing"
          description="Spread over the open hours of the day, or as they come."
          value={values.pacing}
          choices={[
            { value: 'asap', label: 'As soon as possible' },
            { value: 'even', label: 'Evenly over the day' },
          ]}
          onChange={(pacing) => set('pacing', pacing)}
          error={faults.of('pacing')}
        />
      </SimpleGrid>
    </Section>
  );
}
