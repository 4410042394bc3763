// The form of an offer: what most offers set is in view, the other fields are in folded groups.
import { Checkbox, Fieldset, Input, SegmentedControl, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
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
import { newBooking, officeHours } from '../configuration/new-things.ts';
import { StatesField } from '../configuration/place-fields.tsx';
import { useConsoleSession } from '../session.ts';
import { useVerticalRows, VerticalChoice } from '../verticals/vertical-choice.tsx';
import { BookingFields } from './booking-fields.tsx';
import { FieldGroup } from './field-group.tsx';
import { HoursEditor } from './hours-editor.tsx';
import { OfferEstimate } from './offer-estimate.tsx';
import { OwnFilterFields } from './own-filter-fields.tsx';
import { filtersWithin } from './own-filters.ts';
import { type OfferPath, setFieldsWords } from './set-fields.ts';

type Props = {
  readonly draft: Draft<OfferForm>;
  readonly faults: Faults;
  readonly isNew: boolean;
  readonly timeZone: string;
};

export function OfferFields(props: Props): ReactNode {
  const { draft, faults, timeZone, isNew } = props;
  return (
    <>
      <Basics {...props} />
      <Caps {...props} />
      {draft.values.booking !== null && (
        <BookingFields
          booking={draft.values.booking}
          onChange={(booking) => draft.set('booking', booking)}
          faults={faults}
          timeZone={timeZone}
        />
      )}
      <OfferEstimate values={draft.values} isNew={isNew} />
      {/* Groups open by what is set in them when they are shown first, so values from the service begin anew. */}
      <Stack key={draft.generation} gap="sm">
        <Filters {...props} />
        <OwnFilters {...props} />
        <Origin {...props} />
        <Hours {...props} />
        <Budgets {...props} />
        <Ranking {...props} />
        <Rejections {...props} />
      </Stack>
    </>
  );
}

function Group({
  title,
  paths,
  names,
  draft,
  faults,
  children,
}: Pick<Props, 'draft' | 'faults'> & {
  readonly title: string;
  /** Of the fields in the group. */
  readonly paths: readonly OfferPath[];
  readonly names?: ReadonlyMap<string, string>;
  readonly children: ReactNode;
}): ReactNode {
  const { currency } = useConsoleSession();
  return (
    <FieldGroup
      title={title}
      set={setFieldsWords(draft.values, paths, { currency, ...(names === undefined ? {} : { names }) })}
      hasError={paths.some((path) => faults.of(path) !== undefined)}
    >
      {children}
    </FieldGroup>
  );
}

function Basics({ draft, faults, isNew }: Props): ReactNode {
  const verticals = useVerticalRows();
  const choices = useChoices();
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
        <Loaded query={choices} what="Loading the states">
          {({ states, otherStates }) => (
            <StatesField
              {...field('filters.states')}
              placeholder="Any"
              {...{ states, otherStates }}
              value={values.filters.states}
              onChange={(next) => set('filters', { ...values.filters, states: next })}
            />
          )}
        </Loaded>
        <Sale draft={draft} faults={faults} />
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

const WINDOWS = ['daily', 'weekly', 'monthly'] as const;

function Caps({ draft: { values, set }, faults }: Props): ReactNode {
  const field = fieldsOf('offer', faults);
  return (
    <Section title="Caps">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {WINDOWS.map((window) => (
          <NumberField
            key={window}
            {...field(`caps.${window}`)}
            placeholder="No limit"
            value={values.caps[window]}
            onChange={(limit) => set('caps', { ...values.caps, [window]: limit })}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}

const REQUIRED = [
  ['requireConsent', 'Consent to be called'],
  ['requireEmail', 'An email address'],
  ['requirePhone', 'A phone number'],
] as const;

function Filters({ draft, faults }: Props): ReactNode {
  const choices = useChoices();
  const { filters } = draft.values;
  const field = fieldsOf('offer', faults);
  const { minimum, maximum } = boundsOf('offer', 'filters.minScore');
  const set = (change: Partial<OfferFilters>): void => draft.set('filters', { ...filters, ...change });
  return (
    <Group
      title="Filters"
      paths={[
        'filters.statesNot',
        'filters.debtAmount.min',
        'filters.debtAmount.max',
        'filters.minScore',
        ...REQUIRED.map(([name]) => `filters.${name}` as const),
      ]}
      {...{ draft, faults }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Loaded query={choices} what="Loading the states">
          {({ states, otherStates }) => (
            <StatesField
              {...field('filters.statesNot')}
              placeholder="None"
              {...{ states, otherStates }}
              value={filters.statesNot}
              onChange={(statesNot) => set({ statesNot })}
            />
          )}
        </Loaded>
        <NumberField
          {...field('filters.minScore')}
          description={`${minimum} to ${maximum}.`}
          placeholder="Any"
          value={filters.minScore}
          onChange={(minScore) => set({ minScore })}
        />
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
        <Fieldset legend="Only leads with">
          <Stack gap="xs">
            {REQUIRED.map(([name, label]) => (
              <Checkbox
                key={name}
                label={label}
                checked={filters[name]}
                onChange={({ currentTarget }) => set({ [name]: currentTarget.checked })}
              />
            ))}
          </Stack>
        </Fieldset>
      </SimpleGrid>
    </Group>
  );
}

function OwnFilters({ draft, faults }: Props): ReactNode {
  const verticals = useVerticalRows();
  const { filters, vertical } = draft.values;
  if (vertical === null && Object.keys(filters.fields).length === 0) return null;
  return (
    <Group title="Fields of the vertical" paths={['filters.fields']} {...{ draft, faults }}>
      <OwnFilterFields
        // With a vertical that was loaded later or that is another one, the inputs begin anew.
        key={`${vertical ?? ''} ${verticals.length}`}
        fields={verticals.find(({ key }) => key === vertical)?.fields ?? []}
        filters={filters.fields}
        onChange={(fields) => draft.set('filters', { ...filters, fields })}
        faults={faults}
      />
    </Group>
  );
}

function Origin({ draft, faults }: Props): ReactNode {
  const suppliers = useSuppliers({ pageSize: 200 }).data?.data ?? [];
  const { filters } = draft.values;
  const field = fieldsOf('offer', faults);
  const set = (change: Partial<OfferFilters>): void => draft.set('filters', { ...filters, ...change });
  return (
    <Group
      title="Suppliers and sources"
      paths={['filters.suppliers', 'filters.suppliersNot', 'filters.sources', 'filters.sourcesNot']}
      names={new Map(suppliers.map(({ key, name }) => [key, name]))}
      {...{ draft, faults }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
            known={suppliers}
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
    </Group>
  );
}

function Hours({ draft, faults, timeZone }: Props): ReactNode {
  const { values, set } = draft;
  return (
    <Group title="Hours" paths={['schedule']} {...{ draft, faults }}>
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
    </Group>
  );
}

function Budgets({ draft, faults }: Props): ReactNode {
  const { values, set } = draft;
  const field = fieldsOf('offer', faults);
  const change = (part: Partial<PerWindow>): void => set('budget', { ...values.budget, ...part });
  return (
    <Group
      title="Budgets and pacing"
      paths={[...WINDOWS.map((window) => `budget.${window}` as const), 'pacing']}
      {...{ draft, faults }}
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {WINDOWS.map((window) => (
          <MoneyField
            key={window}
            {...field(`budget.${window}`)}
            placeholder="No limit"
            value={values.budget[window]}
            onChange={(limit) => change({ [window]: limit })}
          />
        ))}
        <ChoiceField
          {...field('pacing')}
          value={values.pacing}
          choices={choicesOf('offer', 'pacing')}
          onChange={(pacing) => set('pacing', pacing)}
        />
      </SimpleGrid>
    </Group>
  );
}

function Ranking({ draft, faults }: Props): ReactNode {
  const { values, set } = draft;
  const field = fieldsOf('offer', faults);
  return (
    <Group title="Ranking" paths={['priority', 'weight']} {...{ draft, faults }}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
    </Group>
  );
}

function Rejections({ draft, faults }: Props): ReactNode {
  const { values, set } = draft;
  const { rejections } = values;
  const field = fieldsOf('offer', faults);
  return (
    <Group title="Rejections" paths={['rejections.pauseAbove', 'rejections.responses']} {...{ draft, faults }}>
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
    </Group>
  );
}
