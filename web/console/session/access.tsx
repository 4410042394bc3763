// The operator's access page: sessions, role and one-time codes.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { OwnSessions } from '../../ui/own-sessions.tsx';
import { Page } from '../../ui/page.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { useConsoleSession } from '../session.ts';
import { ROLES } from '../operators/roles.ts';
import { SecondFactor } from '../../ui/users/second-factor.tsx';

export function AccessPage(): ReactNode {
  const { name, role, secondFactor } = useConsoleSession();
  return (
    <Page title="Access" description={<ZoneNote />}>
      <Stack gap="lg">
        <Section title="Sessions">
          <Text size="sm" c="dimmed">
            Browsers that are signed in as {name}. A session ends after two hours without use, and after twelve hours.
          </Text>
          <OwnSessions area="console" />
        </Section>
        <Section title="Your role">
          <Text size="sm">
            {name} has the role <strong>{role}</strong>. {ROLES[role]}
          </Text>
        </Section>
        <Section title="One-time codes">
          {secondFactor === 'set' ? (
            <Text size="sm">Sign-in requires a code from your authenticator app.</Text>
          ) : (
            <SecondFactor area="console" />
          )}
        </Section>
      </Stack>
    </Page>
  );
}
