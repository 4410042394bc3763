// How to verify the signatures of messages: rules, the signing secret, and a complete receiver in three languages.
import { List, Stack, Tabs, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Account } from '../../../../sdk/typescript/client.ts';
import type { Channels } from '../../../../src/portal/buyer/channels.schema.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { choiceFilter, useFilters } from '../../../ui/filters.ts';
import { SigningSecret } from '../../../ui/signing-secret.tsx';
import { Time } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { RECEIVERS } from './receivers.ts';

const LANGUAGES = ['node', 'python', 'php'] as const;
// '' until a language is chosen.
const FILTERS = { receiver: choiceFilter(['', ...LANGUAGES]) };

export function Signing({
  signing,
  account,
}: {
  readonly signing: Channels['signing'];
  readonly account: Account;
}): ReactNode {
  const [{ receiver }, change] = useFilters(FILTERS);
  const [isOpen, setOpen] = useState(receiver !== '');
  return (
    <Stack gap="sm">
      <Text component="h3" size="md" fw={650} m={0}>
        Signatures
      </Text>
      <Text size="sm">
        Every message is signed as specified by Standard Webhooks. Verify the signature first, or anyone who knows the
        URL can send you leads.
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          webhook-id is the same in every attempt of a message. Store it to process each message once.
        </List.Item>
        <List.Item>
          webhook-timestamp is the time of sending in Unix seconds. Reject messages older than five minutes.
        </List.Item>
        <List.Item>
          webhook-signature is the HMAC-SHA256, with the base64 part of your secret as key, of the id, the timestamp and
          the raw body, joined by dots. For 24 hours after a rotation of the secret there are two.
        </List.Item>
        <List.Item>Respond with 2xx within 15 seconds and process the message afterwards.</List.Item>
      </List>
      <OwnSecret signing={signing} account={account} />
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <Text component="summary" size="sm" fw={600} style={{ cursor: 'pointer' }}>
          Complete receiver to copy
        </Text>
        <Tabs
          value={receiver === '' ? 'node' : receiver}
          mt="sm"
          onChange={(value) => change({ receiver: LANGUAGES.find((one) => one === value) ?? 'node' }, { push: false })}
          keepMounted={false}
        >
          <Tabs.List aria-label="Language of the receiver">
            {LANGUAGES.map((language) => (
              <Tabs.Tab key={language} value={language}>
                {RECEIVERS[language].name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {LANGUAGES.map((language) => (
            <Tabs.Panel key={language} value={language} pt="sm">
              <CodeBlock text={RECEIVERS[language].code} label={`a receiver in ${RECEIVERS[language].name}`} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </details>
    </Stack>
  );
}

function OwnSecret({
  signing,
  account,
}: {
  readonly signing: Channels['signing'];
  readonly account: Account;
}): ReactNode {
  const queries = useQueryClient();
  const isOpen = account.editableFields.includes('webhookSecret');
  return (
    <Stack gap="sm">
      <Text size="sm">
        {signing !== null && (
          <>
            Your secret starts with whsec_ and ends in <b>{signing.endsIn}</b>.{' '}
          </>
        )}
        {isOpen ? 'The audit log records when you show it.' : 'The operator gives it to you and rotates it on request.'}
        {signing?.previous !== null && signing !== null && (
          <>
            {' '}
            The previous secret, ending in <b>{signing.previous.endsIn}</b>, signs as well until{' '}
            <Time at={signing.previous.validUntil} />.
          </>
        )}
      </Text>
      {isOpen && (
        <SigningSecret
          read={() => request('GET /portal/api/v1/buyer/webhook-secret')}
          replace={() => request('POST /portal/api/v1/buyer/webhook-secret/rotate')}
          onReplaced={() => void queries.invalidateQueries({ queryKey: ['account', 'channels'] })}
        />
      )}
    </Stack>
  );
}
