// The partner's access page: tokens and sessions.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { AccessPage } from '../credentials/access-page.tsx';
import { Credentials } from '../credentials/credentials.tsx';

export function TokensPage(): ReactNode {
  return (
    <AccessPage>
      <Section title="Access tokens">
        <Text size="sm" c="dimmed">
          A token gives access to the API and, at sign-in, to this portal. It is shown once, when it is created. Create
          one per program, so that each can be revoked by itself.
        </Text>
        <Credentials which="buyer/tokens" />
      </Section>
    </AccessPage>
  );
}
