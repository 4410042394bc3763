// The partner's settings page: account, webhook, email, text messages, Google Sheets, contact, delivery log.
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { Account } from '../../../../sdk/typescript/client.ts';
import type { Channels } from '../../../../src/portal/buyer/channels.schema.ts';
import { WithContents } from '../../../ui/contents.tsx';
import { type Fact, Facts, Section } from '../../../ui/facts.tsx';
import { ButtonLink, PageLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { ZoneNote } from '../../../ui/zone.tsx';
import { type AccountRead, useAccount, useChannels } from './account.ts';
import { OffersAttention } from '../overview/offers-attention.tsx';
import { useOfferStates } from '../overview/offer-states.ts';
import { Attempts } from './delivery-log.tsx';
import { ReceivingSection } from './receiving.tsx';
import { ChannelLine } from './channel-line.tsx';
import { ChannelSwitch } from './channel-switch.tsx';
import type { SettingField } from './setting-fields.tsx';
import { type Receiving, SettingsForm } from './settings-form.tsx';
import { Signing } from './signing.tsx';
import { EndpointState, WebhookTest } from './webhook.tsx';

const EMAIL: readonly SettingField[] = [
  {
    name: 'notificationEmail',
    label: 'Email address',
    description: 'For notices, and for leads if email is one of your channels.',
    placeholder: 'leads@example.com',
    kind: 'email',
  },
  { name: 'ccEmails', label: 'Copies to', description: 'One address per line, at most 20.', kind: 'lines' },
];
const SMS: readonly SettingField[] = [
  {
    name: 'smsNumber',
    label: 'Mobile number',
    description: 'In international format. Text messages contain the name and phone number of the lead.',
    placeholder: '+1 555 555 0123',
    kind: 'tel',
  },
];
const CONTACT: readonly SettingField[] = [
  {
    name: 'phone',
    label: 'Phone',
    description: 'So that the operator can call you. In international format. Never used for leads.',
    placeholder: '+1 555 555 0123',
    kind: 'tel',
  },
];
const WEBHOOK: readonly SettingField[] = [
  {
    name: 'webhookUrl',
    label: 'Webhook URL',
    description: 'Each lead is posted here when it is sold. Must be HTTPS at a public address.',
    placeholder: 'https://crm.example.com/leads',
    kind: 'url',
  },
];
const SHEETS: readonly SettingField[] = [
  {
    name: 'sheetsSpreadsheetId',
    label: 'Spreadsheet',
    description: 'The link of the spreadsheet, or its id.',
    placeholder: 'https://docs.google.com/spreadsheets/d/…',
    kind: 'text',
  },
  {
    name: 'sheetsWebhookUrl',
    label: 'Script URL',
    description: 'For delivery through a script in the spreadsheet.',
    placeholder: 'https://script.google.com/macros/s/…/exec',
    kind: 'url',
  },
];

const PARTS = [
  ['receiving', 'Receiving leads'],
  ['account', 'Account'],
  ['webhook', 'Webhook'],
  ['email', 'Email'],
  ['sms', 'Text messages'],
  ['sheets', 'Google Sheets'],
  ['contact', 'Contact'],
  ['attempts', 'Recent attempts'],
] as const;

export function SettingsPage(): ReactNode {
  const account = useAccount();
  const channels = useChannels();
  return (
    <Page title="Settings" description={<ZoneNote />}>
      <Loaded query={account} what="Loading your account">
        {(current) => (
          <Loaded query={channels} what="Loading your channels">
            {(ways) => <Settings current={current} ways={ways} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function Settings({ current, ways }: { readonly current: AccountRead; readonly ways: Channels }): ReactNode {
  const receiving = useReceiving(ways);
  const switched = { account: current.account, ways };
  return (
    <WithContents page="/settings" parts={PARTS}>
      <Stack gap="lg">
        <OffersAttention />
        <ReceivingSection ways={ways} />
        <AccountSection account={current.account} ways={ways} />
        <WebhookSection current={current} ways={ways} receiving={receiving} />
        <Section id="email" title="Email">
          <ChannelLine name="email" ways={ways} />
          <ChannelSwitch name="email" {...switched} />
          <SettingsForm current={current} fields={EMAIL} label="Email settings" receiving={receiving} />
        </Section>
        <Section id="sms" title="Text messages">
          <ChannelLine name="sms" ways={ways} />
          <ChannelSwitch name="sms" {...switched} />
          <SettingsForm current={current} fields={SMS} label="Text message settings" receiving={receiving} />
        </Section>
        <Section
          id="sheets"
          title="Google Sheets"
          actions={
            <ButtonLink to="/settings/sheets" variant="default" size="xs">
              Set up step by step
            </ButtonLink>
          }
        >
          <ChannelLine name="sheets" ways={ways} />
          <ChannelSwitch name="sheets" {...switched} />
          <ChannelLine name="sheets_script" ways={ways} />
          <ChannelSwitch name="sheets_script" {...switched} />
          <SettingsForm current={current} fields={SHEETS} label="Google Sheets settings" receiving={receiving} />
        </Section>
        <Section id="contact" title="Contact">
          <SettingsForm current={current} fields={CONTACT} label="Contact settings" />
        </Section>
        <Section id="attempts" title="Recent attempts">
          <Attempts isEnabled={current.account.betaTools.includes('delivery-logs')} />
        </Section>
      </Stack>
    </WithContents>
  );
}

const TARGET_WORDS: Readonly<Record<string, string>> = {
  webhookUrl: 'URL',
  notificationEmail: 'email address',
  smsNumber: 'number',
  sheetsSpreadsheetId: 'spreadsheet',
  sheetsWebhookUrl: 'script URL',
};

/** Null if the partner only polls the API: then there is no target to clear. */
function useReceiving({ channels }: Channels): Receiving | null {
  const offers = useOfferStates().data?.offers ?? [];
  const primary = channels.find(({ isPrimary }) => isPrimary);
  if (primary === undefined) return null;
  const { setting } = primary;
  return {
    setting,
    words: TARGET_WORDS[setting] ?? 'address',
    offers: offers.filter(({ isActive }) => isActive).length,
  };
}

const STATUS_WORDS: Readonly<Record<Account['status'], string>> = {
  active: 'You receive leads according to your offers.',
  paused: 'You can use the portal and the API but receive no new leads. The operator can resume the account.',
  suspended: 'The account is closed.',
};

function AccountSection({ account, ways }: { readonly account: Account; readonly ways: Channels }): ReactNode {
  const facts: readonly Fact[] = [
    ['Name', account.name],
    ['Account key', account.partnerKey],
    ['Status', <AccountStatus key="status" status={account.status} />],
    ['Time zone', `${account.timeZone}, used for caps, return windows and invoices`],
    ['Currency', account.currency],
    ['Marketplace', ways.marketplaceName],
    ['Beta tools', account.betaTools.length === 0 ? 'None enabled' : account.betaTools.join(', ')],
  ];
  return (
    <Section id="account" title="Account">
      <Facts facts={facts} />
      <Text size="sm" c="dimmed">
        Only the operator of {ways.marketplaceName} can change these. Tokens and sessions are under{' '}
        <PageLink to="/tokens">Access</PageLink>.
      </Text>
    </Section>
  );
}

function AccountStatus({ status }: Pick<Account, 'status'>): ReactNode {
  return (
    <>
      <Status>{status}</Status> · {STATUS_WORDS[status]}
    </>
  );
}

function WebhookSection({
  current,
  ways,
  receiving,
}: {
  readonly current: AccountRead;
  readonly ways: Channels;
  readonly receiving: Receiving | null;
}): ReactNode {
  const [isDirty, setDirty] = useState(false);
  return (
    <Section
      id="webhook"
      title="Webhook"
      actions={
        <ButtonLink to="/settings/webhook-format" variant="default" size="xs">
          Format
        </ButtonLink>
      }
    >
      <ChannelLine name="webhook" ways={ways} />
      <ChannelSwitch name="webhook" account={current.account} ways={ways} />
      <EndpointState current={current} ways={ways} />
      <SettingsForm
        current={current}
        fields={WEBHOOK}
        label="Webhook settings"
        onDirty={setDirty}
        receiving={receiving}
      />
      <WebhookTest account={current.account} isDirty={isDirty} />
      <Signing signing={ways.signing} account={current.account} />
    </Section>
  );
}
