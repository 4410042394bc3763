// Access: the account's tokens with a way to revoke each, and the sessions that are open at the portal.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { OwnSessions } from '../../ui/own-sessions.tsx';
import { Page } from '../../ui/page.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { Credentials } from '../credentials/credentials.tsx';

export function TokensPage(): ReactNode {
  return (
    <Page title="Access" description={<ZoneNote />}>
      <Stack gap="lg">
        <Section title="Access tokens">
          <Text size="sm" c="dimmed">
            A token opens the API and, pasted at the sign-in, this portal. It is shown once, when the operator makes it:
            ask them for another one, for example for each program of yours.
          </Text>
          <Credentials which="buyer/tokens" />
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
