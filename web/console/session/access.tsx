// The operator's access page: sessions, role, one-time codes, and the commands that manage operators.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { CodeBlock } from '../../ui/copy.tsx';
import { Section } from '../../ui/facts.tsx';
import { OwnSessions } from '../../ui/own-sessions.tsx';
import { Page } from '../../ui/page.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { useConsoleSession } from '../session.ts';
import { SecondFactor } from './second-factor.tsx';

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
            <SecondFactor />
          )}
        </Section>
        <Section title="Operators">
          <Text size="sm" c="dimmed">
            Operators are managed on the machine that runs the marketplace, never here: a stolen session must not be
            able to create an account.
          </Text>
          <CodeBlock label="commands for operators" text={COMMANDS} />
        </Section>
      </Stack>
    </Page>
  );
}

const ROLES = {
  admin: 'Full access.',
  finance: 'Manages the ledger and invoices. No access to personal data.',
  support: 'Reviews claims, sends deliveries again and enables endpoints. No access to personal data.',
  'read-only': 'Read access only. No access to personal data.',
} as const;

const COMMANDS = `leadmarket operator add NAME --totp     a new account, with one-time codes
leadmarket operator set-role NAME ROLE  change the role: admin, finance, support or read-only
leadmarket operator reset-totp NAME     remove one-time codes, for a lost device
leadmarket operator list                list operators with their last use
leadmarket operator password NAME       a new password; ends all sessions of the account
leadmarket operator sign-out NAME       ends all sessions of the account
leadmarket operator disable NAME        disable the account`;
