// The partner's access page: tokens and sessions.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { OwnSessions } from '../../ui/own-sessions.tsx';
import { Page } from '../../ui/page.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { SecondFactor } from '../../ui/users/second-factor.tsx';
import { usePortalSession } from '../session.ts';
import { Credentials } from '../credentials/credentials.tsx';

export function TokensPage(): ReactNode {
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
          <Section title="Access tokens">
            <Text size="sm" c="dimmed">
              A token gives access to the API and, at sign-in, to this portal. It is shown once, when it is created.
              Create one per program, so that each can be revoked by itself.
            </Text>
            <Credentials which="buyer/tokens" />
          </Section>
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
