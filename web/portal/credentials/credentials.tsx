// The account's tokens or keys with a way to revoke each.
import { Box, Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Credential } from '../../../src/portal/credentials.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { notify } from '../../ui/notify.tsx';
import { useSignOut } from '../../ui/session.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import { request } from '../portal-api.ts';
import { RevokeQuestion } from './revoke-credential.tsx';

/** A partner has tokens, a supplier keys; otherwise they are the same. */
type Which = 'buyer/tokens' | 'supplier/keys';

export function Credentials({ which }: { readonly which: Which }): ReactNode {
  const one = which === 'buyer/tokens' ? 'token' : 'key';
  const queries = useQueryClient();
  const signOut = useSignOut('portal');
  const [asked, setAsked] = useState<Credential | null>(null);
  const query = useQuery({
    queryKey: ['account', 'tokens'],
    queryFn: ({ signal }) => request(`GET /portal/api/${which}`, { signal }),
  });
  const revoke = async ({ id }: Credential): Promise<void> => {
    const { endsThisSession } = await request(`DELETE /portal/api/${which}/:id`, { params: { id } });
    if (endsThisSession) return signOut();
    notify(`The ${one} is revoked.`);
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
            credential={asked}
            isLast={data.filter(isActive).length === 1}
            onRevoke={revoke}
            onClose={() => setAsked(null)}
          />
        </>
      )}
    </Loaded>
  );
}

function columnsWith(one: string, ask: (credential: Credential) => void): readonly Column<Credential>[] {
  return [
    {
      key: 'label',
      title: 'Label',
      cell: ({ label, isThisSession }) => <Label label={label} isThisSession={isThisSession} />,
    },
    { key: 'last4', title: 'Ends in', cell: ({ last4 }) => `…${last4}` },
    { key: 'state', title: 'State', cell: (credential) => <CredentialState credential={credential} /> },
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
    {
      key: 'revoke',
      title: 'Action',
      cell: (credential) => <RevokeButton one={one} credential={credential} onAsk={ask} />,
    },
  ];
}

function Label({ label, isThisSession }: Pick<Credential, 'label' | 'isThisSession'>): ReactNode {
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

function isActive({ revokedAt, expiresAt }: Credential): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function CredentialState({ credential }: { readonly credential: Credential }): ReactNode {
  const [tone, word]: readonly [Tone, string] = isActive(credential)
    ? ['good', 'active']
    : ['idle', credential.revokedAt === null ? 'expired' : 'revoked'];
  return (
    <>
      <Status tone={tone}>{word}</Status>
      {credential.revokedAt !== null && (
        <Text component="span" display="block" size="xs" c="dimmed">
          <Time at={credential.revokedAt} kind="day" />
        </Text>
      )}
    </>
  );
}

function RevokeButton({
  one,
  credential,
  onAsk,
}: {
  readonly one: string;
  readonly credential: Credential;
  readonly onAsk: (credential: Credential) => void;
}): ReactNode {
  if (!isActive(credential)) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      onClick={() => onAsk(credential)}
      aria-label={`Revoke ${credential.label ?? `the ${one}`} that ends in ${credential.last4}`}
    >
      Revoke
    </Button>
  );
}
