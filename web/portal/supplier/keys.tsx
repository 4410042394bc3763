// The supplier's access page: keys, signing secret of callbacks, sessions.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { SigningSecret } from '../../ui/signing-secret.tsx';
import { AccessPage } from '../credentials/access-page.tsx';
import { Credentials } from '../credentials/credentials.tsx';
import { request } from '../portal-api.ts';

export function KeysPage(): ReactNode {
  return (
    <AccessPage>
      <Section title="Supplier keys">
        <Text size="sm" c="dimmed">
          A key lets you post leads to the API and sign in to this portal. It is shown once, when it is created. To
          replace a key, create a new one, switch to it, and revoke the old one here.
        </Text>
        <Credentials which="supplier/keys" />
      </Section>
      <Section title="Signing secret">
        <Text size="sm" c="dimmed">
          Signs the callbacks to you, as specified by Standard Webhooks. The operator sets up which events are sent
          where; your posting specification lists them. The operator’s audit log records when the secret is shown.
        </Text>
        <SigningSecret
          read={() => request('GET /portal/api/v1/supplier/callback-secret')}
          replace={() => request('POST /portal/api/v1/supplier/callback-secret/rotate')}
        />
      </Section>
    </AccessPage>
  );
}
