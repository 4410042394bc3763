// The form of a partner: name, time zone, delivery, API access, returns and billing.
import { Checkbox, MultiSelect, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import type { PartnerForm, PartnerSettings } from '../configuration/configuration-api.ts';
import type { Draft, Faults } from '../configuration/draft.ts';
import { fieldWords } from '../configuration/field-words.ts';
import {
  ChipsField,
  type Choice,
  ChoiceField,
  choicesOf,
  FIELD_ORDER,
  fieldsOf,
  KeyAndName,
  LinesField,
  MoneyField,
  NumberField,
  TextField,
} from '../configuration/fields.tsx';
import { memberOf, membersIn, valuesOf } from '../configuration/members.ts';
import { TimeZoneField } from '../configuration/place-fields.tsx';

type Props = { readonly draft: Draft<PartnerForm>; readonly faults: Faults; readonly isNew: boolean };

const BETA_TOOLS = choicesOf('partner', 'betaTools');
const SETTINGS = Object.keys(membersIn(memberOf('partner', 'settings'))) as Array<keyof PartnerSettings>;
const EDITABLE = valuesOf('partner', 'editableFields').map((value) => ({
  value,
  label: fieldWords(`settings.${value}`),
}));

export function PartnerFields(props: Props): ReactNode {
  return (
    <>
      <Basics {...props} />
      <Delivery {...props} />
      <Rights {...props} />
      <Returns {...props} />
      <Billing {...props} />
    </>
  );
}

function Basics({ draft: { values, set }, faults, isNew }: Props): ReactNode {
  const field = fieldsOf('partner', faults);
  return (
    <Section title="General">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <KeyAndName values={values} set={set} errorOf={faults.of} isNew={isNew} />
        <ChoiceField
          {...field('status')}
          value={values.status}
          choices={choicesOf('partner', 'status')}
          onChange={(status) => set('status', status)}
        />
        <TimeZoneField {...field('timeZone')} value={values.timeZone} onChange={(zone) => set('timeZone', zone)} />
      </SimpleGrid>
    </Section>
  );
}

function Delivery({ draft: { values, set }, faults, isNew }: Props): ReactNode {
  const { settings } = values;
  const field = fieldsOf('partner', faults);
  const change = (part: Partial<PartnerSettings>): void => set('settings', { ...settings, ...part });
  return (
    <Section title="Delivery">
      <MultiSelect
        {...field('channels')}
        placeholder={values.channels.length === 0 ? 'API only' : ''}
        data={choicesOf('partner', 'channels')}
        value={[...values.channels]}
        onChange={(channels) => set('channels', channels)}
        inputWrapperOrder={FIELD_ORDER}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear channels' }}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {SETTINGS.map((name) =>
          name === 'ccEmails' ? (
            <ChipsField
              key={name}
              {...field('settings.ccEmails')}
              description="Press Enter after each one."
              value={settings.ccEmails}
              onChange={(ccEmails) => change({ ccEmails })}
            />
          ) : (
            <TextField
              key={name}
              {...field(`settings.${name}`)}
              value={settings[name]}
              onChange={(value) => change({ [name]: value })}
              {...(name.endsWith('Url') ? { placeholder: 'https://' } : {})}
            />
          ),
        )}
      </SimpleGrid>
      {!isNew && (
        <Checkbox.Group
          {...field('editableFields')}
          value={[...values.editableFields]}
          onChange={(names) =>
            set(
              'editableFields',
              EDITABLE.map(({ value }) => value).filter((name) => names.includes(name)),
            )
          }
        >
          <Names choices={EDITABLE} />
        </Checkbox.Group>
      )}
    </Section>
  );
}

function Names({ choices }: { readonly choices: readonly Choice[] }): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs" verticalSpacing="xs">
      {choices.map(({ value, label }) => (
        <Checkbox key={value} value={value} label={label} />
      ))}
    </SimpleGrid>
  );
}

function Rights({ draft: { values, set }, faults }: Props): ReactNode {
  const { rateLimit } = values;
  const field = fieldsOf('partner', faults);
  return (
    <Section title="API access">
      <Checkbox.Group
        {...field('betaTools')}
        value={[...values.betaTools]}
        onChange={(tools) =>
          set(
            'betaTools',
            BETA_TOOLS.map(({ value }) => value).filter((tool) => tools.includes(tool)),
          )
        }
      >
        <Names choices={BETA_TOOLS} />
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
      </SimpleGrid>
    </Section>
  );
}

function Returns({ draft: { values, set }, faults }: Props): ReactNode {
  const policy = values.returnPolicy;
  const { monthlyCaps } = policy;
  const field = fieldsOf('partner', faults);
  const change = (part: Partial<PartnerForm['returnPolicy']>): void => set('returnPolicy', { ...policy, ...part });
  return (
    <Section title="Returns and disputes">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          {...field('returnPolicy.windowBusinessDays')}
          value={policy.windowBusinessDays}
          onChange={(windowBusinessDays) => change({ windowBusinessDays })}
        />
        <NumberField
          {...field('returnPolicy.disputeWindowDays')}
          value={policy.disputeWindowDays}
          onChange={(disputeWindowDays) => change({ disputeWindowDays })}
        />
        {(['leads', 'bookings'] as const).map((kind) => (
          <TextField
            key={kind}
            {...field(`returnPolicy.monthlyCaps.${kind}`)}
            value={String(monthlyCaps[kind] ?? '')}
            onChange={(text) => change({ monthlyCaps: { ...monthlyCaps, [kind]: capOf(text) } })}
          />
        ))}
        <ChipsField
          {...field('returnPolicy.holidays')}
          placeholder={policy.holidays.length === 0 ? 'None' : ''}
          value={policy.holidays}
          onChange={(holidays) => change({ holidays })}
        />
      </SimpleGrid>
    </Section>
  );
}

/** Reads a whole number as such; a share such as 10% stays text. */
function capOf(text: string | null): number | string | null {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : text;
}

function Billing({ draft: { values, set, generation }, faults }: Props): ReactNode {
  const { billing } = values;
  const field = fieldsOf('partner', faults);
  const change = (part: Partial<PartnerForm['billing']>): void => set('billing', { ...billing, ...part });
  return (
    <Section title="Billing">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ChoiceField
          {...field('billing.mode')}
          value={billing.mode}
          choices={choicesOf('partner', 'billing.mode')}
          onChange={(mode) => change({ mode, creditLimit: mode === 'prepaid' ? null : billing.creditLimit })}
        />
        {billing.mode === 'postpaid' && (
          <MoneyField
            {...field('billing.creditLimit')}
            placeholder="No limit"
            value={billing.creditLimit}
            onChange={(creditLimit) => change({ creditLimit })}
          />
        )}
        <NumberField
          {...field('billing.dueDays')}
          value={billing.dueDays}
          onChange={(dueDays) => change({ dueDays })}
        />
        <MoneyField
          {...field('billing.pauseBelow')}
          placeholder="Never"
          value={billing.pauseBelow}
          onChange={(pauseBelow) => change({ pauseBelow })}
        />
        <NumberField
          {...field('billing.taxPercent')}
          decimals={2}
          value={billing.taxPercent}
          onChange={(taxPercent) => change({ taxPercent })}
        />
        <TextField {...field('billing.taxId')} value={billing.taxId} onChange={(taxId) => change({ taxId })} />
        <TextField {...field('billing.email')} value={billing.email} onChange={(email) => change({ email })} />
        <LinesField
          key={generation}
          {...field('billing.address')}
          value={billing.address}
          onChange={(address) => change({ address })}
        />
      </SimpleGrid>
    </Section>
  );
}
