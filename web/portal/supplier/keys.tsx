// Access: the supplier's keys with a way to revoke each, the secret that signs its callbacks, and the sessions that are open at the portal.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { SigningSecret } from '../../ui/signing-secret.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { Credentials } from '../credentials/credentials.tsx';
import { request } from '../portal-api.ts';
import { OwnSessions } from '../../ui/own-sessions.tsx';

export function KeysPage(): ReactNode {
  return (
    <Page title="Access" description={<ZoneNote />}>
      <Stack gap="lg">
        <Section title="Supplier keys">
          <Text size="sm" c="dimmed">
            A key opens the API to your leads and, pasted at the sign-in, this portal. It is shown once, when the
            operator makes it. To replace one, ask for another, change over, and revoke the old one here.
          </Text>
          <Credentials which="supplier/keys" />
        </Section>
        <Section title="Signing secret">
          <Text size="sm" c="dimmed">
            Callbacks to you are signed with it, by Standard Webhooks. The operator sets up callbacks: ask for them.
            That you look at the secret is put on record.
          </Text>
          <SigningSecret
            read={() => request('GET /portal/api/v1/supplier/callback-secret')}
            replace={() => request('POST /portal/api/v1/supplier/callback-secret/rotate')}
          />
        </Section>
        <Section title="Sessions">
          <Text size="sm" c="dimmed">
            Where somebody is signed in to this portal for your account.
          </Text>
          <OwnSessions area="portal" />
        </Section>
      </Stack>
    </Page>
  );
}
