// The partner's access page: tokens and sessions.
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
            A token gives access to the API and, at sign-in, to this portal. It is shown once, when the operator issues
            it. Ask the operator for further tokens, for example one per program.
          </Text>
          <Credentials which="buyer/tokens" />
        </Section>
        <Section title="Sessions">
          <Text size="sm" c="dimmed">
            Browsers that are signed in to this portal with your account.
          </Text>
          <OwnSessions area="portal" />
        </Section>
      </Stack>
    </Page>
  );
}
