// The section with a supplier's keys or a partner's tokens: list, issue, revoke.
import { Button, Code, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { IssueCredential } from '../../ui/issue-credential.tsx';
import { notify } from '../../ui/notify.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import type { Credential } from '../../../src/console/credentials.schema.ts';
import { type Owner, request } from '../console-api.ts';
import { useMay } from '../allowed.tsx';

/** `word`: the name of the credential. */
export function Credentials({ owner, word }: { readonly owner: Owner; readonly word: 'key' | 'token' }): ReactNode {
  const queries = useQueryClient();
  const may = useMay('credentials');
  const query = useQuery({
    queryKey: ['configuration', 'credentials', owner],
    queryFn: ({ signal }) =>
      request(`GET /console/api/${owner.kind}/:ownerKey/credentials`, { params: { ownerKey: owner.key }, signal }),
  });
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<Credential | null>(null);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['configuration', 'credentials', owner] });
  return (
    <Section
      title={word === 'key' ? 'Keys' : 'Access tokens'}
      actions={may ? <Button onClick={() => setIssuing(true)}>Issue a {word}</Button> : undefined}
    >
      <Loaded query={query} what={`Loading ${word}s`}>
        {({ data }) => (
          <DataTable
            caption={word === 'key' ? 'Keys of the supplier' : 'Access tokens of the partner'}
            columns={columns(may ? setRevoked : null)}
            rows={data}
            rowKey={({ id }) => id}
            empty={
              <Empty title={`No ${word}s yet`}>
                {word === 'key'
                  ? 'The supplier needs a key to post leads.'
                  : 'The partner needs a token to sign in and to use the API.'}
              </Empty>
            }
          />
        )}
      </Loaded>
      <IssueCredential
        isOpen={isIssuing}
        word={word}
        issue={(body, idempotencyKey) =>
          request(`POST /console/api/${owner.kind}/:ownerKey/credentials`, {
            params: { ownerKey: owner.key },
            ...{ body, idempotencyKey },
          })
        }
        onClose={() => setIssuing(false)}
        onIssued={refresh}
      />
      <Confirm
        isOpen={revoked !== null}
        title={`Revoke this ${word}?`}
        action={`Revoke ${word}`}
        isDangerous
        onClose={() => setRevoked(null)}
        onConfirm={async () => {
          if (revoked === null) return;
          await request('POST /console/api/credentials/:credentialId/revoke', { params: { credentialId: revoked.id } });
          await refresh();
          notify(`${word === 'key' ? 'Key' : 'Token'} revoked. It stops working within 5 seconds.`);
        }}
      >
        <Text size="sm">
          {revoked?.label ?? `The ${word}`} (ending in {revoked?.last4}) stops working, and sessions opened with it end.
          This cannot be undone.
        </Text>
      </Confirm>
    </Section>
  );
}

function columns(onRevoke: ((credential: Credential) => void) | null): Array<Column<Credential>> {
  return [
    { key: 'label', title: 'Label', cell: ({ label }) => label ?? 'No label' },
    { key: 'last4', title: 'Ends in', cell: ({ last4 }) => <Code>{last4}</Code> },
    { key: 'created', title: 'Issued', cell: ({ createdAt }) => <Time at={createdAt} kind="short" /> },
    {
      key: 'used',
      title: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} kind="short" />),
    },
    { key: 'state', title: 'Status', cell: (credential) => <State credential={credential} /> },
    {
      key: 'revoke',
      title: 'Action',
      cell: (credential) =>
        credential.revokedAt === null && onRevoke !== null ? (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onRevoke(credential)}
            aria-label={`Revoke ${credential.label ?? `the one ending in ${credential.last4}`}`}
          >
            Revoke
          </Button>
        ) : null,
    },
  ];
}

function State({ credential: { revokedAt, expiresAt } }: { readonly credential: Credential }): ReactNode {
  if (revokedAt !== null) return <Status tone="idle">revoked</Status>;
  if (expiresAt === null) return <Status tone="good">valid</Status>;
  if (new Date(expiresAt) <= new Date()) return <Status tone="idle">expired</Status>;
  return (
    <Group gap={6}>
      <Status tone="good">valid</Status>
      <Text size="sm" c="dimmed" component="span">
        until <Time at={expiresAt} kind="day" />
      </Text>
    </Group>
  );
}
