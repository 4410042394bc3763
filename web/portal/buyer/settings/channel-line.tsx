// One line about a channel: whether it is used, and its health.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Channels, ChannelState } from '../../../../src/portal/buyer/channels.schema.ts';
import { CHANNEL_NAMES } from '../../../ui/channel-names.ts';
import { count } from '../../../ui/formats.ts';
import { Status, type Tone } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';

export function ChannelLine({
  name,
  ways,
}: {
  readonly name: ChannelState['name'];
  readonly ways: Channels;
}): ReactNode {
  const state = ways.channels.find((channel) => channel.name === name);
  const [tone, word] = verdict(state);
  return (
    <Text size="sm" component="p" m={0}>
      <Status tone={tone}>{word}</Status>{' '}
      <Text component="span" inherit c="dimmed">
        {state === undefined ? (
          <>
            {CHANNEL_NAMES[name]} is not one of your channels.
            {!ways.own.includes(name) && ' Ask the operator to add it.'}
          </>
        ) : (
          <Explanation state={state} />
        )}
      </Text>
    </Text>
  );
}

function verdict(state: ChannelState | undefined): readonly [tone: Tone, word: string] {
  if (state === undefined) return ['idle', 'Not in use'];
  if (!state.isSet) return ['warn', 'Not set up'];
  if (state.trouble === null) return ['good', 'In use'];
  return state.trouble.waitingSince === null ? ['warn', 'In use, last attempt failed'] : ['bad', 'Failing'];
}

function Explanation({ state: { isPrimary, isSet, trouble } }: { readonly state: ChannelState }): ReactNode {
  const role = isPrimary
    ? 'Your primary channel: a lead is confirmed and charged once it is accepted here.'
    : 'A secondary channel: it gets a copy of each lead after the primary channel.';
  return (
    <>
      {role}
      {!isSet && ' Nothing can be sent until you enter the address.'}
      {trouble !== null && (
        <>
          {' '}
          {count(trouble.failures, 'attempt has', 'attempts have')} failed in a row, the last one on{' '}
          <Time at={trouble.lastFailedAt} />: {trouble.lastError}
        </>
      )}
    </>
  );
}
