// The fields of the settings of notices: channels, times, and what happens with each kind. Shared by the console and the portal.
import { NumberInput, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from './facts.tsx';
import { KIND_WORDS } from './notice-words.ts';

export type NoticeValues = {
  readonly emails: readonly string[];
  readonly webhookUrl: string | null;
  readonly chatUrl: string | null;
  readonly timeZone: string | null;
  readonly quietHours: { readonly from: string; readonly to: string } | null;
  readonly digestAt: string;
  readonly off: readonly string[];
  readonly digest: readonly string[];
  readonly urgent: readonly string[];
  readonly thresholds: Readonly<Record<string, number | null>>;
};

export type Threshold = {
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly decimals?: number;
};

type Props<Values extends NoticeValues> = {
  readonly values: Values;
  readonly kinds: readonly string[];
  readonly thresholds: readonly Threshold[];
  /** The error of a member, by its path. */
  readonly errorOf: (path: string) => string | undefined;
  readonly onChange: (part: Partial<NoticeValues>) => void;
  readonly emailsHint: string;
  readonly zoneHint: string;
};

const NIGHT = { from: '22:00', to: '07:00' };

export function NoticeFields<Values extends NoticeValues>(props: Props<Values>): ReactNode {
  return (
    <>
      <Channels {...props} />
      <Times {...props} />
      <Kinds {...props} />
    </>
  );
}

function Channels<Values extends NoticeValues>({ values, errorOf, onChange, emailsHint }: Props<Values>): ReactNode {
  const url = (name: 'webhookUrl' | 'chatUrl', label: string, description: string): ReactNode => (
    <TextInput
      label={label}
      description={description}
      type="url"
      autoComplete="off"
      value={values[name] ?? ''}
      error={errorOf(name)}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value === '' ? null : currentTarget.value })}
    />
  );
  return (
    <Section title="Where">
      <TagsInput
        label="Email addresses"
        description={emailsHint}
        value={[...values.emails]}
        error={errorOf('emails')}
        onChange={(emails) => onChange({ emails })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {url('webhookUrl', 'Webhook URL', 'Signed like the webhooks of leads.')}
        {url('chatUrl', 'Chat webhook URL', 'Gets {"text": …}, as Slack, Mattermost and others take it.')}
      </SimpleGrid>
    </Section>
  );
}

function Times<Values extends NoticeValues>({ values, errorOf, onChange, zoneHint }: Props<Values>): ReactNode {
  const { quietHours } = values;
  const time = (label: string, value: string, path: string, set: (value: string) => void): ReactNode => (
    <TextInput
      label={label}
      type="time"
      value={value}
      error={errorOf(path)}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
  const quiet = quietHours ?? { from: '', to: '' };
  const setQuiet = (part: Partial<typeof quiet>): void => {
    const next = { ...(quietHours ?? NIGHT), ...part };
    onChange({ quietHours: part.from === '' || part.to === '' ? null : next });
  };
  return (
    <Section title="When">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {time('Quiet from', quiet.from, 'quietHours.from', (from) => setQuiet({ from }))}
        {time('Quiet until', quiet.to, 'quietHours.to', (to) => setQuiet({ to }))}
        {time('Daily digest at', values.digestAt, 'digestAt', (digestAt) => onChange({ digestAt }))}
        <TextInput
          label="Time zone"
          placeholder={zoneHint}
          value={values.timeZone ?? ''}
          error={errorOf('timeZone')}
          onChange={({ currentTarget }) =>
            onChange({ timeZone: currentTarget.value === '' ? null : currentTarget.value })
          }
        />
      </SimpleGrid>
    </Section>
  );
}

const CHOICES = [
  { value: 'now', label: 'At once' },
  { value: 'urgent', label: 'At once, also in quiet hours' },
  { value: 'digest', label: 'In the daily digest' },
  { value: 'off', label: 'Off' },
];

function Kinds<Values extends NoticeValues>({
  values,
  kinds,
  thresholds,
  errorOf,
  onChange,
}: Props<Values>): ReactNode {
  const chosen = (kind: string): string =>
    (['off', 'digest', 'urgent'] as const).find((name) => values[name].includes(kind)) ?? 'now';
  const choose = (kind: string, choice: string | null): void => {
    const listed = (name: 'off' | 'digest' | 'urgent'): readonly string[] =>
      kinds.filter((known) => (known === kind ? choice === name : values[name].includes(known)));
    onChange({ off: listed('off'), digest: listed('digest'), urgent: listed('urgent') });
  };
  return (
    <>
      <Section title="What">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {kinds.map((kind) => (
            <Select
              key={kind}
              label={KIND_WORDS[kind] ?? kind}
              data={CHOICES}
              value={chosen(kind)}
              allowDeselect={false}
              onChange={(choice) => choose(kind, choice)}
            />
          ))}
        </SimpleGrid>
      </Section>
      <Section title="Thresholds">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {thresholds.map(({ name, label, description, decimals = 0 }) => (
            <NumberInput
              key={name}
              label={label}
              description={description}
              min={0}
              allowNegative={false}
              decimalScale={decimals}
              value={values.thresholds[name] ?? ''}
              error={errorOf(`thresholds.${name}`)}
              onChange={(value) =>
                onChange({ thresholds: { ...values.thresholds, [name]: typeof value === 'number' ? value : null } })
              }
            />
          ))}
        </SimpleGrid>
      </Section>
    </>
  );
}
