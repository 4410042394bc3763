// The supplier's access page: keys, signing secret of callbacks, sessions.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { SigningSecret } from '../../ui/signing-secret.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { SecondFactor } from '../../ui/users/second-factor.tsx';
import { usePortalSession } from '../session.ts';
import { Credentials } from '../credentials/credentials.tsx';
import { request } from '../portal-api.ts';
import { OwnSessions } from '../../ui/own-sessions.tsx';

export function KeysPage(): ReactNode {
  const { user, rights } = usePortalSession();
  return (
    <Page title="Access" description={<ZoneNote />}>
      <Stack gap="lg">
        {user !== null && (
          <Section title="One-time codes">
            {user.hasSecondFactor ? (
              <Text size="sm">Sign-in requires a code from your authenticator app.</Text>
            ) : (
              <SecondFactor area="portal" />
            )}
          </Section>
        )}
        {rights.includes('settings') && (
          <>
            <Section title="Supplier keys">
              <Text size="sm" c="dimmed">
                A key lets you post leads to the API and sign in to this portal. It is shown once, when it is created.
                To replace a key, create a new one, switch to it, and revoke the old one here.
              </Text>
              <Credentials which="supplier/keys" />
            </Section>
            <Section title="Signing secret">
              <Text size="sm" c="dimmed">
                Signs the callbacks to you, as specified by Standard Webhooks. Ask the operator to set up callbacks. The
                audit log records when you show the secret.
              </Text>
              <SigningSecret
                read={() => request('GET /portal/api/v1/supplier/callback-secret')}
                replace={() => request('POST /portal/api/v1/supplier/callback-secret/rotate')}
              />
            </Section>
          </>
        )}
        <Section title="Sessions">
          <Text size="sm" c="dimmed">
            {user === null
              ? 'Browsers that are signed in to this portal with your account.'
              : `Browsers that are signed in as ${user.email}.`}
          </Text>
          <OwnSessions area="portal" />
        </Section>
      </Stack>
    </Page>
  );
}
