// Every member of a partner: who it is, where its leads go, what it may change and return, and how it pays.
import { Checkbox, MultiSelect, Select, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import type { PartnerForm, PartnerSettings } from '../configuration/configuration-api.ts';
import type { Draft, Faults } from '../configuration/draft.ts';
import { fieldWords } from '../configuration/field-words.ts';
import {
  ChipsField,
  ChoiceField,
  FIELD_ORDER,
  KeyAndName,
  MoneyField,
  NumberField,
  TextField,
} from '../configuration/fields.tsx';

type Props = { readonly draft: Draft<PartnerForm>; readonly faults: Faults; readonly isNew: boolean };

const CHANNELS = [
  { value: 'webhook', label: 'Webhook' },
  { value: 'email', label: 'E-mail' },
  { value: 'sms', label: 'Text message' },
  { value: 'sheets', label: 'Google Sheets' },
  { value: 'sheets_script', label: 'Google Sheets script' },
];
const BETA_TOOLS = [
  ['timeline', 'Timeline of a delivery'],
  ['delivery-logs', 'Log of attempts'],
  ['test-delivery', 'Test deliveries'],
  ['audit-log', 'Audit log'],
] as const;
const SETTINGS: ReadonlyArray<keyof PartnerSettings> = [
  'notificationEmail',
  'ccEmails',
  'webhookUrl',
  'phone',
  'smsNumber',
  'sheetsWebhookUrl',
  'sheetsSpreadsheetId',
];
const EDITABLE: readonly string[] = [...SETTINGS, 'webhookSecret'];

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
  return (
    <Section title="The partner">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <KeyAndName values={values} set={set} errorOf={faults.of} isNew={isNew} />
        <ChoiceField
          label="Status"
          description="Paused partners get no leads and can sign in; suspended ones cannot."
          value={values.status}
          choices={[
            { value: 'active', label: 'Active' },
            { value: 'paused', label: 'Paused' },
            { value: 'suspended', label: 'Suspended' },
          ]}
          onChange={(status) => set('status', status)}
          error={faults.of('status')}
        />
        <TimeZoneField
          value={values.timeZone}
          onChange={(zone) => set('timeZone', zone)}
          error={faults.of('timeZone')}
        />
      </SimpleGrid>
    </Section>
  );
}

function TimeZoneField({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (zone: string) => void;
  readonly error: string | undefined;
}): ReactNode {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return (
    <Select
      label="Time zone"
      description="By its clock go hours, caps and statements."
      data={known.includes(value) ? known : [value, ...known]}
      value={value}
      onChange={(zone) => {
        if (zone !== null) onChange(zone);
      }}
      inputWrapperOrder={FIELD_ORDER}
      searchable
      allowDeselect={false}
      limit={50}
      error={error ?? null}
    />
  );
}

function Delivery({ draft: { values, set }, faults, isNew }: Props): ReactNode {
  const { settings } = values;
  const change = (part: Partial<PartnerSettings>): void => set('settings', { ...settings, ...part });
  return (
    <Section title="Where leads go">
      <MultiSelect
        label="Channels"
        description="The first is the primary one. With none the partner fetches its leads from the API."
        placeholder={values.channels.length === 0 ? 'API only' : ''}
        data={CHANNELS}
        value={[...values.channels]}
        onChange={(channels) => set('channels', channels)}
        inputWrapperOrder={FIELD_ORDER}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear channels' }}
        error={faults.of('channels') ?? null}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {SETTINGS.map((name) =>
          name === 'ccEmails' ? (
            <ChipsField
              key={name}
              label={fieldWords(`settings.${name}`)}
              description="End each with Enter."
              value={settings.ccEmails}
              onChange={(ccEmails) => change({ ccEmails })}
              error={faults.of(`settings.${name}`)}
            />
          ) : (
            <TextField
              key={name}
              label={fieldWords(`settings.${name}`)}
              value={settings[name]}
              onChange={(value) => change({ [name]: value })}
              error={faults.of(`settings.${name}`)}
              {...(name.endsWith('Url') ? { placeholder: 'https://' } : {})}
            />
          ),
        )}
      </SimpleGrid>
      {!isNew && (
        <Checkbox.Group
          label="What the partner may change itself"
          value={[...values.editableFields]}
          onChange={(names) =>
            set(
              'editableFields',
              EDITABLE.filter((name) => names.includes(name)),
            )
          }
        >
          <Names names={EDITABLE.map((name) => [name, fieldWords(`settings.${name}`)] as const)} />
        </Checkbox.Group>
      )}
    </Section>
  );
}

function Names({ names }: { readonly names: ReadonlyArray<readonly [value: string, label: string]> }): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs" verticalSpacing="xs">
      {names.map(([value, label]) => (
        <Checkbox key={value} value={value} label={label} />
      ))}
    </SimpleGrid>
  );
}

function Rights({ draft: { values, set }, faults }: Props): ReactNode {
  const { rateLimit } = values;
  return (
    <Section title="What the partner may use">
      <Checkbox.Group
        label="Beta tools"
        value={[...values.betaTools]}
        onChange={(tools) =>
          set(
            'betaTools',
            BETA_TOOLS.map(([tool]) => tool).filter((tool) => tools.includes(tool)),
          )
        }
      >
        <Names names={BETA_TOOLS} />
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
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

function Returns({ draft: { values, set }, faults }: Props): ReactNode {
  const policy = values.returnPolicy;
  const { monthlyCaps } = policy;
  const change = (part: Partial<PartnerForm['returnPolicy']>): void => set('returnPolicy', { ...policy, ...part });
  return (
    <Section title="Returns and disputes">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          label="Days to return"
          description="Business days."
          value={policy.windowBusinessDays}
          onChange={(windowBusinessDays) => change({ windowBusinessDays })}
          error={faults.of('returnPolicy.windowBusinessDays')}
        />
        <NumberField
          label="Days to dispute"
          value={policy.disputeWindowDays}
          onChange={(disputeWindowDays) => change({ disputeWindowDays })}
          error={faults.of('returnPolicy.disputeWindowDays')}
        />
        {(['leads', 'bookings'] as const).map((kind) => (
          <TextField
            key={kind}
            label={`Returned ${kind} a month, at most`}
            description="A number such as 20, or a share such as 10%."
            value={String(monthlyCaps[kind] ?? '')}
            onChange={(text) => change({ monthlyCaps: { ...monthlyCaps, [kind]: capOf(text) } })}
            error={faults.of(`returnPolicy.monthlyCaps.${kind}`)}
          />
        ))}
        <ChipsField
          label="Own days off"
          description="Beside the federal holidays, such as 2026-12-24."
          placeholder={policy.holidays.length === 0 ? 'None' : ''}
          value={policy.holidays}
          onChange={(holidays) => change({ holidays })}
          error={faults.of('returnPolicy.holidays')}
        />
      </SimpleGrid>
    </Section>
  );
}

/** A number where it is one: a share stays text. */
function capOf(text: string | null): number | string | null {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : text;
}

function Billing({ draft: { values, set }, faults }: Props): ReactNode {
  const { billing } = values;
  return (
    <Section title="Billing">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ChoiceField
          label="Pays"
          value={billing.mode}
          choices={[
            { value: 'postpaid', label: 'By invoice (postpaid)' },
            { value: 'prepaid', label: 'In advance (prepaid)' },
          ]}
          onChange={(mode) => set('billing', { mode, creditLimit: mode === 'prepaid' ? null : billing.creditLimit })}
          error={faults.of('billing.mode')}
        />
        {billing.mode === 'postpaid' && (
          <MoneyField
            label="Credit limit"
            description="Leads are sold to this partner until it owes so much."
            placeholder="No limit"
            value={billing.creditLimit}
            onChange={(creditLimit) => set('billing', { ...billing, creditLimit })}
            error={faults.of('billing.creditLimit')}
          />
        )}
      </SimpleGrid>
    </Section>
  );
}
