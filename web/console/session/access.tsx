// Access: where this operator is signed in, and how operators, passwords and one-time codes are managed.
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
            Where you, {name}, are signed in. A session ends after two hours without use and after twelve in any case.
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
            <Text size="sm">Signing in asks for a code of your authenticator app.</Text>
          ) : (
            <SecondFactor />
          )}
        </Section>
        <Section title="Operators">
          <Text size="sm" c="dimmed">
            Accounts of operators are made on the machine that runs the marketplace, never from here: whoever gets hold
            of a session must not be able to make itself a way back in.
          </Text>
          <CodeBlock label="commands for operators" text={COMMANDS} />
        </Section>
      </Stack>
    </Page>
  );
}

const ROLES = {
  admin: 'It may do everything.',
  finance: 'It keeps the ledger and the invoices. It sees no persons.',
  support: 'It reviews claims, sends again and takes endpoints back into use. It sees no persons.',
  'read-only': 'It reads, and changes nothing. It sees no persons.',
} as const;

const COMMANDS = `leadmarket operator add NAME --totp     a new account, with one-time codes
leadmarket operator set-role NAME ROLE  what the account may do: admin, finance, support or read-only
leadmarket operator reset-totp NAME     no one-time codes any more, for a lost device
leadmarket operator list                who there is, and who was seen when
leadmarket operator password NAME       a new password; ends all sessions of the account
leadmarket operator sign-out NAME       ends all sessions of the account
leadmarket operator disable NAME        nobody signs in with it any more`;
