// The list of the account's tokens or keys, each with a revoke button.
import { Box, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Credential } from '../../../src/portal/credentials.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { IssueCredential } from '../../ui/issue-credential.tsx';
import { notify } from '../../ui/notify.tsx';
import { useSignOut } from '../../ui/session.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import { request } from '../portal-api.ts';
import { Confirm } from '../../ui/confirm.tsx';

/** Partners have tokens, suppliers have keys. */
type Which = 'buyer/tokens' | 'supplier/keys';

export function Credentials({ which }: { readonly which: Which }): ReactNode {
  const one = which === 'buyer/tokens' ? 'token' : 'key';
  const queries = useQueryClient();
  const signOut = useSignOut('portal');
  const [selected, setSelected] = useState<Credential | null>(null);
  const [isIssuing, setIssuing] = useState(false);
  const query = useQuery({
    queryKey: ['account', 'tokens'],
    queryFn: ({ signal }) => request(`GET /portal/api/${which}`, { signal }),
  });
  const revoke = async ({ id }: Credential): Promise<void> => {
    const { endsThisSession } = await request(`DELETE /portal/api/${which}/:id`, { params: { id } });
    if (endsThisSession) return signOut();
    notify(`${one === 'token' ? 'Token' : 'Key'} revoked.`);
    await queries.invalidateQueries({ queryKey: ['account'] });
  };
  return (
    <Loaded query={query} what={`Loading ${one}s`}>
      {({ data }) => (
        <>
          <Group>
            <Button variant="default" onClick={() => setIssuing(true)}>
              Create a {one}
            </Button>
          </Group>
          <IssueCredential
            isOpen={isIssuing}
            word={one}
            issue={(body, idempotencyKey) => request(`POST /portal/api/${which}`, { body, idempotencyKey })}
            onClose={() => setIssuing(false)}
            onIssued={() => queries.invalidateQueries({ queryKey: ['account'] })}
          />
          <DataTable
            caption={`All ${one}s`}
            columns={columnsWith(one, setSelected)}
            rows={data}
            rowKey={({ id }) => id}
            empty={<Empty title={`No ${one}s`}>Create one for each program.</Empty>}
          />
          <RevokeQuestion
            one={one}
            credential={selected}
            isLast={data.filter(isActive).length === 1}
            onRevoke={revoke}
            onClose={() => setSelected(null)}
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
    { key: 'state', title: 'Status', cell: (credential) => <CredentialState credential={credential} /> },
    { key: 'created', title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} kind="day" /> },
    {
      key: 'used',
      title: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} kind="short" />),
    },
    {
      key: 'expires',
      title: 'Expires',
      cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} />),
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
      {label ?? 'No label'}
      {isThisSession && (
        <Text size="xs" c="dimmed">
          opened this session
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
      aria-label={`Revoke ${credential.label ?? one} ending in ${credential.last4}`}
    >
      Revoke
    </Button>
  );
}

function RevokeQuestion({
  one,
  credential,
  isLast,
  onRevoke,
  onClose,
}: {
  /** `token` */
  readonly one: string;
  /** Null while the dialog is closed. */
  readonly credential: Credential | null;
  /** True if no other one is active. */
  readonly isLast: boolean;
  readonly onRevoke: (credential: Credential) => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Confirm
      isOpen={credential !== null}
      title={`Revoke this ${one}?`}
      action={credential?.isThisSession === true ? `Revoke ${one} and sign out` : `Revoke ${one}`}
      isDangerous
      onConfirm={async () => (credential === null ? undefined : onRevoke(credential))}
      onClose={onClose}
    >
      {credential !== null && <Consequences one={one} credential={credential} isLast={isLast} />}
    </Confirm>
  );
}

function Consequences({
  one,
  credential,
  isLast,
}: {
  readonly one: string;
  readonly credential: Credential;
  readonly isLast: boolean;
}): ReactNode {
  const { label, last4, lastUsedAt, isThisSession } = credential;
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {label === null ? `The ${one}` : `The ${one} “${label}”`}, ending in {last4}, was{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used on <Time at={lastUsedAt} />
          </>
        )}
        . Programs that use it and sessions opened with it lose access within seconds. This cannot be undone.
      </Text>
      {isThisSession && (
        <Text size="sm" fw={600}>
          It opened your current session: you will be signed out at once and need another {one} to sign in.
        </Text>
      )}
      {isLast && (
        <Text size="sm" fw={600}>
          It is your only {one}: you lose access to the API until another one is created.
        </Text>
      )}
    </>
  );
}
