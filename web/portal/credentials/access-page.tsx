// The access page of a partner or supplier: one-time codes of a user, what `children` add for those who may change settings, sessions.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { OwnSessions } from '../../ui/own-sessions.tsx';
import { Page } from '../../ui/page.tsx';
import { SecondFactor } from '../../ui/users/second-factor.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { usePortalSession } from '../session.ts';

export function AccessPage({ children }: { readonly children: ReactNode }): ReactNode {
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
        {rights.includes('settings') && children}
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
