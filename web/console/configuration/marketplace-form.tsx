// The form of the marketplace's settings.
import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

import { TimeZoneField } from './place-fields.tsx';
import { Section } from '../../ui/facts.tsx';
import type { MarketplaceForm } from './configuration-api.ts';
import type { Draft, Faults } from './draft.ts';
import {
  ChoiceField,
  choicesOf,
  ColorField,
  fieldsOf,
  LinesField,
  LogoField,
  NumberField,
  NumbersField,
  SwitchField,
  TextField,
} from './fields.tsx';

type Props = { readonly draft: Draft<MarketplaceForm>; readonly faults: Faults };

const FOREVER = 'forever';

export function MarketplaceFields(props: Props): ReactNode {
  return (
    <>
      <Selling {...props} />
      <Look {...props} />
      <Delivery {...props} />
      <Scoring {...props} />
      <Billing {...props} />
      <Retention {...props} />
    </>
  );
}

function Selling({ draft: { values, set }, faults }: Props): ReactNode {
  const field = fieldsOf('marketplace', faults);
  return (
    <Section title="Selling">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField {...field('name')} value={values.name} onChange={(name) => set('name', name ?? '')} />
        <TextField
          {...field('currency')}
          value={values.currency}
          onChange={(currency) => set('currency', currency ?? '')}
        />
        <TimeZoneField {...field('timeZone')} value={values.timeZone} onChange={(zone) => set('timeZone', zone)} />
        <ChoiceField
          {...field('strategy')}
          value={values.strategy}
          choices={choicesOf('marketplace', 'strategy')}
          onChange={(strategy) => set('strategy', strategy)}
        />
        <ChoiceField
          {...field('regions')}
          value={String(values.regions)}
          choices={[
            { value: 'US,CA', label: 'United States and Canada' },
            { value: 'US', label: 'United States' },
            { value: 'CA', label: 'Canada' },
            { value: 'any', label: 'Any two letters' },
          ]}
          onChange={(regions) => set('regions', regions === 'any' ? regions : regions.split(','))}
        />
        <NumberField
          {...field('dedupDays')}
          value={values.dedupDays}
          onChange={(dedupDays) => set('dedupDays', dedupDays)}
        />
        <NumberField
          {...field('holdMinutes')}
          value={values.holdMinutes}
          onChange={(holdMinutes) => set('holdMinutes', holdMinutes)}
        />
      </SimpleGrid>
    </Section>
  );
}

function Look({ draft: { values, set }, faults }: Props): ReactNode {
  const { brand } = values;
  const field = fieldsOf('marketplace', faults);
  return (
    <Section title="Look">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ColorField
          {...field('brand.accentColor')}
          value={brand.accentColor}
          onChange={(accentColor) => set('brand', { ...brand, accentColor })}
        />
        <LogoField {...field('brand.logo')} value={brand.logo} onChange={(logo) => set('brand', { ...brand, logo })} />
        <TextField
          {...field('brand.helpEmail')}
          type="email"
          value={brand.helpEmail}
          onChange={(helpEmail) => set('brand', { ...brand, helpEmail })}
        />
      </SimpleGrid>
    </Section>
  );
}

function Delivery({ draft: { values, set, generation }, faults }: Props): ReactNode {
  const { breaker, rejections } = values;
  const field = fieldsOf('marketplace', faults);
  return (
    <Section title="Delivery">
      <NumbersField
        key={generation}
        {...field('retrySeconds')}
        value={values.retrySeconds}
        onChange={(retrySeconds) => set('retrySeconds', retrySeconds)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          {...field('breaker.failures')}
          value={breaker.failures}
          onChange={(failures) => set('breaker', { ...breaker, failures })}
        />
        <NumberField
          {...field('breaker.probeSeconds')}
          value={breaker.probeSeconds}
          onChange={(probeSeconds) => set('breaker', { ...breaker, probeSeconds })}
        />
        <NumberField
          {...field('rejections.pauseAbove')}
          placeholder="Never"
          value={rejections.pauseAbove}
          onChange={(pauseAbove) => set('rejections', { ...rejections, pauseAbove })}
        />
        <NumberField
          {...field('rejections.responses')}
          value={rejections.responses}
          onChange={(responses) => set('rejections', { ...rejections, responses })}
        />
      </SimpleGrid>
    </Section>
  );
}

function Scoring({ draft: { values, set }, faults }: Props): ReactNode {
  const field = fieldsOf('marketplace', faults);
  return (
    <Section title="Score weights">
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
        {namesOf(values.scoreWeights).map((name) => (
          <NumberField
            key={name}
            {...field(`scoreWeights.${name}`)}
            decimals={2}
            value={values.scoreWeights[name]}
            onChange={(next) => set('scoreWeights', { ...values.scoreWeights, [name]: next })}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Billing({ draft: { values, set, generation }, faults }: Props): ReactNode {
  const { billing } = values;
  const field = fieldsOf('marketplace', faults);
  const change = (part: Partial<typeof billing>): void => set('billing', { ...billing, ...part });
  return (
    <Section title="Billing">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField {...field('billing.runOn')} value={billing.runOn} onChange={(runOn) => change({ runOn })} />
        <NumbersField
          key={generation}
          {...field('billing.reminderDays')}
          value={billing.reminderDays}
          onChange={(reminderDays) => change({ reminderDays })}
        />
        {(['invoices', 'statements'] as const).map((name) => (
          <SwitchField
            key={name}
            {...field(`billing.${name}`)}
            value={billing[name]}
            onChange={(isOn) => change({ [name]: isOn })}
          />
        ))}
        <LinesField
          key={`address ${generation}`}
          {...field('billing.address')}
          value={billing.address}
          onChange={(address) => change({ address })}
        />
        <TextField {...field('billing.taxId')} value={billing.taxId} onChange={(taxId) => change({ taxId })} />
      </SimpleGrid>
    </Section>
  );
}

function Retention({ draft: { values, set }, faults }: Props): ReactNode {
  const field = fieldsOf('marketplace', faults);
  return (
    <Section title="Retention">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {namesOf(values.retention).map((name) => {
          const term = values.retention[name];
          return (
            <NumberField
              key={name}
              {...field(`retention.${name}`)}
              placeholder="Forever"
              value={typeof term === 'number' ? term : null}
              onChange={(next) => set('retention', { ...values.retention, [name]: next ?? FOREVER })}
            />
          );
        })}
      </SimpleGrid>
    </Section>
  );
}

function namesOf<Part extends object>(part: Part): Array<keyof Part & string> {
  return Object.keys(part) as Array<keyof Part & string>;
}
