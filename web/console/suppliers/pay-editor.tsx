// The editor of a supplier's terms: what its leads cost, rules for some of them, and what returns take back.
import { Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Choices } from '../../../src/console/configuration.schema.ts';
import { Section } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import type { PayTerms } from '../configuration/configuration-api.ts';
import type { Faults } from '../configuration/draft.ts';
import {
  ChipsField,
  ChoiceField,
  choicesOf,
  fieldsOf,
  FIELD_ORDER,
  MoneyField,
  NumberField,
} from '../configuration/fields.tsx';
import { StatesField } from '../configuration/place-fields.tsx';

type Rule = PayTerms['rules'][number];
type Props = {
  readonly pay: PayTerms;
  readonly onChange: (pay: PayTerms) => void;
  readonly choices: UseQueryResult<Choices>;
  readonly faults: Faults;
};

const TYPES = [
  { value: 'Lead Sale', label: 'Leads' },
  { value: 'Calendar Assigned', label: 'Booked calls' },
] as const;
const ANY: Rule['when'] = { states: [], sources: [], eventTypes: [], minScore: null };

export function PayEditor({ pay, onChange, choices, faults }: Props): ReactNode {
  const { model, clawback, hold } = pay;
  const field = fieldsOf('supplier', faults);
  const set = (part: Partial<PayTerms>): void => onChange({ ...pay, ...part });
  return (
    <Section title="Pay">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ChoiceField
            {...field('pay.model')}
            value={model}
            choices={choicesOf('supplier', 'pay.model')}
            onChange={(next) => onChange(withModel(pay, next))}
          />
          {model === 'fixed' && (
            <MoneyField {...field('pay.amount')} value={pay.amount} onChange={(amount) => set({ amount })} required />
          )}
          {model === 'share' && (
            <NumberField
              {...field('pay.percent')}
              decimals={2}
              value={pay.percent}
              onChange={(percent) => set({ percent })}
              required
            />
          )}
        </SimpleGrid>
        {model !== 'none' && (
          <>
            <Rules pay={pay} onChange={onChange} choices={choices} faults={faults} />
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <ChoiceField
                {...field('pay.clawback.onReturn')}
                value={clawback.onReturn}
                choices={choicesOf('supplier', 'pay.clawback.onReturn')}
                onChange={(onReturn) => set({ clawback: { ...clawback, onReturn } })}
              />
              <NumberField
                {...field('pay.clawback.days')}
                value={clawback.days}
                onChange={(days) => set({ clawback: { ...clawback, days } })}
              />
              <NumberField {...field('pay.hold.days')} value={hold.days} onChange={(days) => set({ hold: { days } })} />
            </SimpleGrid>
            <Text size="sm" c="dimmed">
              A change holds for leads that are routed from then on.
            </Text>
          </>
        )}
      </Stack>
    </Section>
  );
}

/** Without the amounts or percentages of the other models, which the service would reject. */
function withModel(pay: PayTerms, model: PayTerms['model']): PayTerms {
  const rules = model === 'none' ? [] : pay.rules.map((rule) => ({ ...rule, ...rateOf(model, rule) }));
  return { ...pay, model, ...rateOf(model, pay), rules };
}

function rateOf(model: PayTerms['model'], { amount, percent }: Pick<Rule, 'amount' | 'percent'>) {
  return { amount: model === 'fixed' ? amount : null, percent: model === 'share' ? percent : null };
}

function Rules({ pay, onChange, choices, faults }: Props): ReactNode {
  const { rules } = pay;
  // The index identifies a rule: rules have no id.
  const numbered = rules.map((rule, index) => ({ rule, index }));
  const set = (next: readonly Rule[]): void => onChange({ ...pay, rules: [...next] });
  return (
    <Fieldset legend="Rules for some leads">
      <Stack gap="md">
        <Text size="sm">
          {rules.length === 0
            ? 'None: all leads go by the terms above.'
            : 'The first rule that matches a lead holds; leads that match none go by the terms above.'}
        </Text>
        <Loaded query={choices} what="Loading the states">
          {(known) => (
            <>
              {numbered.map(({ rule, index }) => (
                <RuleFields
                  key={index}
                  rule={rule}
                  number={index + 1}
                  model={pay.model}
                  choices={known}
                  error={(member) => faults.of(`pay.rules[${index}].${member}`)}
                  onChange={(next) => set(rules.with(index, next))}
                  onUp={index === 0 ? null : () => set(movedUp(rules, index))}
                  onRemove={() => set(rules.toSpliced(index, 1))}
                />
              ))}
            </>
          )}
        </Loaded>
        <Group>
          <Button
            variant="default"
            size="xs"
            onClick={() => set([...rules, { when: ANY, amount: null, percent: null }])}
          >
            Add rule
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function movedUp(rules: readonly Rule[], index: number): Rule[] {
  const moved = rules[index];
  return moved === undefined ? [...rules] : rules.toSpliced(index, 1).toSpliced(index - 1, 0, moved);
}

function RuleFields({
  rule,
  number,
  model,
  choices: { states, otherStates },
  error,
  onChange,
  onUp,
  onRemove,
}: {
  readonly rule: Rule;
  readonly number: number;
  readonly model: PayTerms['model'];
  readonly choices: Choices;
  readonly error: (member: string) => string | undefined;
  readonly onChange: (rule: Rule) => void;
  readonly onUp: (() => void) | null;
  readonly onRemove: () => void;
}): ReactNode {
  const { when } = rule;
  const set = (part: Partial<Rule['when']>): void => onChange({ ...rule, when: { ...when, ...part } });
  return (
    <Stack gap="sm" role="group" aria-label={`Rule ${number}`}>
      <Text size="sm" fw={650}>
        Rule {number}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <StatesField
          label="States"
          placeholder="Any"
          {...{ states, otherStates }}
          value={when.states}
          onChange={(next) => set({ states: [...next] })}
          error={error('when')}
        />
        <ChipsField
          label="Sources"
          placeholder="Any"
          description="As sent by the supplier. Press Enter after each one."
          value={when.sources}
          onChange={(sources) => set({ sources: [...sources] })}
        />
        <Checkbox.Group
          label="Types"
          description="Any if none is checked."
          inputWrapperOrder={FIELD_ORDER}
          value={[...when.eventTypes]}
          onChange={(names) =>
            set({ eventTypes: TYPES.map(({ value }) => value).filter((value) => names.includes(value)) })
          }
        >
          <Group mt="xs">
            {TYPES.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
        <NumberField
          label="Minimum score"
          placeholder="Any"
          value={when.minScore}
          onChange={(minScore) => set({ minScore })}
        />
        {model === 'fixed' ? (
          <MoneyField
            label="Amount per lead"
            value={rule.amount}
            onChange={(amount) => onChange({ ...rule, amount })}
            error={error('amount')}
          />
        ) : (
          <NumberField
            label="Share of the price (%)"
            decimals={2}
            value={rule.percent}
            onChange={(percent) => onChange({ ...rule, percent })}
            error={error('percent')}
          />
        )}
      </SimpleGrid>
      <Group gap="xs">
        {onUp !== null && (
          <Button variant="default" size="xs" onClick={onUp} aria-label={`Move up rule ${number}`}>
            Move up
          </Button>
        )}
        <Button variant="default" size="xs" onClick={onRemove} aria-label={`Remove rule ${number}`}>
          Remove
        </Button>
      </Group>
    </Stack>
  );
}
