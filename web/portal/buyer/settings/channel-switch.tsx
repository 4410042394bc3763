// Switches one delivery channel on, off or to the first place, after a confirmation that says what follows, and tests it.
import { Button, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Account } from '../../../../sdk/typescript/client.ts';
import type { Channels, ChannelState, ChannelTest } from '../../../../src/portal/buyer/channels.schema.ts';
import { CHANNEL_NAMES } from '../../../ui/channel-names.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Failure } from '../../../ui/states.tsx';
import { request } from '../../portal-api.ts';
import { useMay } from '../../session.ts';
import { Notice } from '../notice.tsx';

type Name = ChannelState['name'];
/** The webhook has a test of its own, which shows the request. */
type Tested = Exclude<Name, 'webhook'>;
/** The setting that a channel sends to. */
const TARGET: Readonly<
  Record<Name, 'webhookUrl' | 'notificationEmail' | 'smsNumber' | 'sheetsSpreadsheetId' | 'sheetsWebhookUrl'>
> = {
  webhook: 'webhookUrl',
  email: 'notificationEmail',
  sms: 'smsNumber',
  sheets: 'sheetsSpreadsheetId',
  sheets_script: 'sheetsWebhookUrl',
};

type Change = {
  readonly title: string;
  readonly action: string;
  readonly text: string;
  readonly next: readonly Name[];
};

type SwitchedChannel = { readonly name: Name; readonly ways: Channels };

export function ChannelSwitch({ account, ...channel }: SwitchedChannel & { readonly account: Account }): ReactNode {
  const { name, ways } = channel;
  const isSet = account[TARGET[name]] !== null;
  const mayChange = useMay('settings');
  const [pending, setPending] = useState<Change | null>(null);
  const names = ways.channels.map((state) => state.name);
  const isUsed = names.includes(name);
  const isOwn = ways.own.includes(name);
  const mayTest = isOwn || (isUsed && account.betaTools.includes('test-delivery'));
  if (!mayChange || (!isOwn && !mayTest)) return null;
  if (!isUsed && !isSet) {
    return (
      <Text size="sm" c="dimmed">
        Save its address below to use this channel.
      </Text>
    );
  }
  const mayLead = isOwn && names[0] !== name && (names[0] === undefined || ways.own.includes(names[0]));
  return (
    <>
      <Group gap="sm">
        {isOwn && (
          <Button variant="default" size="xs" onClick={() => setPending(switchOf(channel))}>
            {isUsed ? `Stop using ${WORDS[name].name}` : `Use ${WORDS[name].name}`}
          </Button>
        )}
        {isUsed && mayLead && (
          <Button variant="default" size="xs" onClick={() => setPending(leadOf(channel))}>
            Make {WORDS[name].name} the primary channel
          </Button>
        )}
        {mayTest && name !== 'webhook' && <ChannelTestButton name={name} isSet={isSet} />}
      </Group>
      <ChangeDialog change={pending} seen={names} onClose={() => setPending(null)} />
    </>
  );
}

function ChangeDialog({
  change,
  seen,
  onClose,
}: {
  readonly change: Change | null;
  readonly seen: readonly Name[];
  readonly onClose: () => void;
}): ReactNode {
  const queries = useQueryClient();
  // The text stays while the dialog fades out.
  const [shown, setShown] = useState(change);
  if (change !== null && change !== shown) setShown(change);
  if (shown === null) return null;
  return (
    <Confirm
      isOpen={change !== null}
      title={shown.title}
      action={shown.action}
      isDangerous={shown.next.length === 0}
      onClose={onClose}
      onConfirm={async () => {
        await request('PUT /portal/api/buyer/channels', { body: { channels: [...shown.next], seen: [...seen] } });
        await queries.invalidateQueries({ queryKey: ['account'] });
        notify('Channels changed.');
      }}
    >
      <Text size="sm">{shown.text}</Text>
    </Confirm>
  );
}

/** The channel in a sentence, what becomes of a lead there, and the button of its test. */
const WORDS: Readonly<Record<Name, { readonly name: string; readonly place: string; readonly test: string }>> = {
  webhook: { name: 'the webhook', place: 'posted to your webhook', test: 'Send test' },
  email: { name: 'email', place: 'mailed to you', test: 'Send a test email' },
  sms: { name: 'text messages', place: 'sent to you as a text message', test: 'Send a test message' },
  sheets: { name: 'Google Sheets', place: 'added to your spreadsheet', test: 'Add a test row' },
  sheets_script: {
    name: 'the Sheets script',
    place: 'sent to your spreadsheet’s script',
    test: 'Send the script a test',
  },
};

function switchOf({ name, ways }: SwitchedChannel): Change {
  const names = ways.channels.map((state) => state.name);
  if (!names.includes(name)) {
    const next = [...names, name];
    const copies = `From now on a copy of each lead is also ${WORDS[name].place}.`;
    const first = `From now on leads are ${WORDS[name].place}. A lead is confirmed and charged once it is accepted there.`;
    return {
      title: `Use ${WORDS[name].name}?`,
      action: 'Use channel',
      text: names.length === 0 ? first : copies,
      next,
    };
  }
  const next = names.filter((other) => other !== name);
  const [primary] = next;
  const after =
    primary === undefined
      ? 'No channel is left: leads are still sold to you and charged, but sent nowhere. You read them in the portal or through the API.'
      : names[0] === name
        ? `${CHANNEL_NAMES[primary]} becomes your primary channel: a lead is confirmed and charged once it is accepted there.`
        : 'Your other channels stay as they are.';
  const text = `New leads are no longer ${WORDS[name].place}. ${after}`;
  return { title: `Stop using ${WORDS[name].name}?`, action: 'Stop using', text, next };
}

function leadOf({ name, ways }: SwitchedChannel): Change {
  const others = ways.channels.map((state) => state.name).filter((other) => other !== name);
  return {
    title: `Make ${WORDS[name].name} the primary channel?`,
    action: 'Make it primary',
    text: `A new lead is confirmed and charged once it is ${WORDS[name].place}. Your other channels get copies.`,
    next: [name, ...others],
  };
}

function ChannelTestButton({ name, isSet }: { readonly name: Tested; readonly isSet: boolean }): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => request('POST /portal/api/buyer/channels/test', { body: { channel: name } }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['deliveries', 'attempts'] }),
  });
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        disabled={!isSet}
        // Not disabled during the test: a disabled button loses the focus.
        onClick={() => {
          if (!isPending) mutate();
        }}
      >
        {WORDS[name].test}
      </Button>
      <div role="status" aria-live="polite" style={{ flexBasis: '100%' }}>
        {isPending && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden="true" />
            <Text size="sm">Sending a sample lead …</Text>
          </Group>
        )}
        {!isPending && data !== undefined && error === null && <TestNotice result={data} />}
      </div>
      {!isPending && error !== null && <Failure error={error} title="No test was sent" />}
    </>
  );
}

function TestNotice({
  result: { delivered, sentTo, error, responseCode },
}: {
  readonly result: ChannelTest;
}): ReactNode {
  const code = responseCode === null ? null : `It responded ${responseCode}.`;
  const failure = [error, code].filter((text) => text !== null).join(' ');
  return (
    <Notice tone={delivered ? 'good' : 'bad'} title={delivered ? 'The test was accepted' : 'The test was not accepted'}>
      <Text size="sm">
        {delivered
          ? `A sample lead was sent to ${sentTo}. Nothing is sold, counted or charged.`
          : failure || 'There was no response.'}
      </Text>
    </Notice>
  );
}
