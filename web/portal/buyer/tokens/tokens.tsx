// Access: the account's tokens with a way to revoke each, and the sessions that are open at the portal.
import { Box, Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Section } from '../../../ui/facts.tsx';
import { tell } from '../../../ui/notify.tsx';
import { Page } from '../../../ui/page.tsx';
import { read, send } from '../../../ui/request.ts';
import { useSignOut } from '../../../ui/session.ts';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { RevokeQuestion } from './revoke-token.tsx';
import { OwnSessions } from '../../../ui/own-sessions.tsx';

/** As GET /portal/api/buyer/tokens answers, and of a supplier GET /portal/api/supplier/keys. */
export type Token = {
  readonly id: string;
  readonly label: string | null;
  readonly last4: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Whether the present session was opened with it. */
  readonly isThisSession: boolean;
};

export function TokensPage(): ReactNode {
  return (
    <Page title="Access" description={<ZoneNote />}>
      <Stack gap="lg">
        <Section title="Access tokens">
          <Text size="sm" c="dimmed">
            A token opens the API and, pasted at the sign-in, this portal. It is shown once, when the operator makes it:
            ask them for another one, for example for each program of yours.
          </Text>
          <Tokens words={TOKENS} />
        </Section>
        <Section title="Sessions">
          <Text size="sm" c="dimmed">
            Where somebody is signed in to this portal for your account.
          </Text>
          <OwnSessions base="/portal" />
        </Section>
      </Stack>
    </Page>
  );
}

/** A partner has tokens, a supplier keys; otherwise they are the same. */
export type CredentialWords = {
  /** `token` */
  readonly one: string;
  readonly path: string;
};

const TOKENS: CredentialWords = { one: 'token', path: '/portal/api/buyer/tokens' };

export function Tokens({ words }: { readonly words: CredentialWords }): ReactNode {
  const { one, path } = words;
  const queries = useQueryClient();
  const signOut = useSignOut('/portal');
  const [asked, setAsked] = useState<Token | null>(null);
  const query = useQuery({
    queryKey: ['account', 'tokens'],
    queryFn: ({ signal }) => read<{ readonly data: readonly Token[] }>(path, signal),
  });
  const revoke = async ({ id }: Token): Promise<void> => {
    const { endsThisSession } = await send<{ readonly endsThisSession: boolean }>(`${path}/${id}`, {
      method: 'DELETE',
    });
    if (endsThisSession) return signOut();
    tell(`The ${one} is revoked.`);
    await queries.invalidateQueries({ queryKey: ['account'] });
  };
  return (
    <Loaded query={query} what={`Loading ${one}s`}>
      {({ data }) => (
        <>
          <DataTable
            caption={`All ${one}s`}
            columns={columnsWith(one, setAsked)}
            rows={data}
            rowKey={({ id }) => id}
            empty={<Empty title={`No ${one}s`}>The operator gives them out.</Empty>}
          />
          <RevokeQuestion
            one={one}
            token={asked}
            isLast={data.filter(isActive).length === 1}
            onRevoke={revoke}
            onClose={() => setAsked(null)}
          />
        </>
      )}
    </Loaded>
  );
}

function columnsWith(one: string, ask: (token: Token) => void): readonly Column<Token>[] {
  return [
    {
      key: 'label',
      title: 'Label',
      cell: ({ label, isThisSession }) => <Label label={label} isThisSession={isThisSession} />,
    },
    { key: 'last4', title: 'Ends in', cell: ({ last4 }) => `…${last4}` },
    { key: 'state', title: 'State', cell: (token) => <TokenState token={token} /> },
    { key: 'created', title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} kind="day" /> },
    {
      key: 'used',
      title: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} kind="short" />),
    },
    {
      key: 'expires',
      title: 'Expires',
      cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />),
    },
    { key: 'revoke', title: 'Action', cell: (token) => <RevokeButton one={one} token={token} onAsk={ask} /> },
  ];
}

function Label({ label, isThisSession }: Pick<Token, 'label' | 'isThisSession'>): ReactNode {
  return (
    <Box miw={150} style={{ overflowWrap: 'anywhere' }}>
      {label ?? 'without a label'}
      {isThisSession && (
        <Text size="xs" c="dimmed">
          you signed in with it
        </Text>
      )}
    </Box>
  );
}

function isActive({ revokedAt, expiresAt }: Token): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function TokenState({ token }: { readonly token: Token }): ReactNode {
  const [tone, word]: readonly [Tone, string] = isActive(token)
    ? ['good', 'active']
    : ['idle', token.revokedAt === null ? 'expired' : 'revoked'];
  return (
    <>
      <Status tone={tone}>{word}</Status>
      {token.revokedAt !== null && (
        <Text component="span" display="block" size="xs" c="dimmed">
          <Time at={token.revokedAt} kind="day" />
        </Text>
      )}
    </>
  );
}

function RevokeButton({
  one,
  token,
  onAsk,
}: {
  readonly one: string;
  readonly token: Token;
  readonly onAsk: (token: Token) => void;
}): ReactNode {
  if (!isActive(token)) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      onClick={() => onAsk(token)}
      aria-label={`Revoke ${token.label ?? `the ${one}`} that ends in ${token.last4}`}
    >
      Revoke
    </Button>
  );
}
