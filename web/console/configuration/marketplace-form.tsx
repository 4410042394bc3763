// The settings that the whole marketplace shares.
import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import type { MarketplaceForm } from './configuration-api.ts';
import type { Draft, Faults } from './draft.ts';
import { fieldWords } from './field-words.ts';
import { ChoiceField, NumberField, NumbersField, TextField } from './fields.tsx';

type Props = { readonly draft: Draft<MarketplaceForm>; readonly faults: Faults };

const FOREVER = 'forever';

export function MarketplaceFields(props: Props): ReactNode {
  return (
    <>
      <Selling {...props} />
      <Delivering {...props} />
      <Scoring {...props} />
      <Keeping {...props} />
    </>
  );
}

function Selling({ draft: { values, set }, faults }: Props): ReactNode {
  return (
    <Section title="How leads are sold">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextField
          label="Name"
          description="Who sells; it stands on invoices."
          value={values.name}
          onChange={(name) => set('name', name ?? '')}
          error={faults.of('name')}
        />
        <TextField
          label="Currency"
          description="Three capitals, such as USD."
          value={values.currency}
          onChange={(currency) => set('currency', currency ?? '')}
          error={faults.of('currency')}
        />
        <ChoiceField
          label="Strategy"
          description="Among open offers of the lowest priority number."
          value={values.strategy}
          choices={[
            { value: 'price', label: 'The highest price wins' },
            { value: 'weighted', label: 'By weight' },
            { value: 'round_robin', label: 'In turns' },
          ]}
          onChange={(strategy) => set('strategy', strategy)}
          error={faults.of('strategy')}
        />
        <ChoiceField
          label="States"
          description="Which codes a lead and an offer's filters may name."
          value={String(values.regions)}
          choices={[
            { value: 'US,CA', label: 'Of the United States and Canada' },
            { value: 'US', label: 'Of the United States' },
            { value: 'CA', label: 'Of Canada' },
            { value: 'any', label: 'Any two letters' },
          ]}
          onChange={(regions) => set('regions', regions === 'any' ? regions : regions.split(','))}
          error={faults.of('regions')}
        />
        <NumberField
          label="Days in which a person is not sold again"
          value={values.dedupDays}
          onChange={(dedupDays) => set('dedupDays', dedupDays)}
          error={faults.of('dedupDays')}
        />
        <NumberField
          label="Minutes that a lead may wait"
          description="For an offer that is about to open."
          value={values.holdMinutes}
          onChange={(holdMinutes) => set('holdMinutes', holdMinutes)}
          error={faults.of('holdMinutes')}
        />
      </SimpleGrid>
    </Section>
  );
}

function Delivering({ draft: { values, set, generation }, faults }: Props): ReactNode {
  const { breaker } = values;
  return (
    <Section title="How they are delivered">
      <NumbersField
        key={generation}
        label="Waits before each attempt, in seconds"
        description="One for each attempt, in their order; 0 is at once."
        value={values.retrySeconds}
        onChange={(retrySeconds) => set('retrySeconds', retrySeconds)}
        error={faults.of('retrySeconds')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          label="Failures in a row until an endpoint rests"
          value={breaker.failures}
          onChange={(failures) => set('breaker', { ...breaker, failures })}
          error={faults.of('breaker.failures')}
        />
        <NumberField
          label="Seconds until it is tried again"
          value={breaker.probeSeconds}
          onChange={(probeSeconds) => set('breaker', { ...breaker, probeSeconds })}
          error={faults.of('breaker.probeSeconds')}
        />
      </SimpleGrid>
    </Section>
  );
}

function Scoring({ draft: { values, set }, faults }: Props): ReactNode {
  return (
    <Section title="What the score is made of">
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
        {Object.entries(values.scoreWeights).map(([name, weight]) => (
          <NumberField
            key={name}
            label={fieldWords(`scoreWeights.${name}`).replace('Score: ', 'Points for ')}
            decimals={2}
            value={weight}
            onChange={(next) => set('scoreWeights', { ...values.scoreWeights, [name]: next })}
            error={faults.of(`scoreWeights.${name}`)}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Keeping({ draft: { values, set }, faults }: Props): ReactNode {
  return (
    <Section title="How long what is kept">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {Object.entries(values.retention).map(([name, term]) => (
          <NumberField
            key={name}
            label={fieldWords(`retention.${name}`)}
            placeholder="For ever"
            value={typeof term === 'number' ? term : null}
            onChange={(next) => set('retention', { ...values.retention, [name]: next ?? FOREVER })}
            error={faults.of(`retention.${name}`)}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}
