// The section with a supplier's keys or a partner's tokens: list, issue, revoke.
import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { notify } from '../../ui/notify.tsx';
import { newKey, RequestError } from '../../ui/request.ts';
import { Empty, Failure, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import type { Credential, IssuedCredential } from '../../../src/console/credentials.schema.ts';
import { type Owner, request } from '../console-api.ts';
import { Attention } from '../attention.tsx';
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
      <Issue isOpen={isIssuing} owner={owner} word={word} onClose={() => setIssuing(false)} onIssued={refresh} />
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

function Issue({
  isOpen,
  owner,
  word,
  onClose,
  onIssued,
}: {
  readonly isOpen: boolean;
  readonly owner: Owner;
  readonly word: 'key' | 'token';
  readonly onClose: () => void;
  readonly onIssued: () => Promise<void>;
}): ReactNode {
  const [issued, setIssued] = useState<IssuedCredential | null>(null);
  const close = (): void => {
    setIssued(null);
    onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={`Issue a ${word}`}
      centered
      closeOnClickOutside={issued === null}
      size="lg"
    >
      {issued === null ? (
        <IssueForm
          owner={owner}
          word={word}
          onCancel={close}
          onDone={async (response) => {
            setIssued(response);
            await onIssued();
          }}
        />
      ) : (
        <Stack>
          {issued.secret === null ? (
            <Attention title="The secret was lost">
              The {word} was issued, but the response with the secret did not arrive. Revoke it and issue another one.
            </Attention>
          ) : (
            <>
              <Text size="sm" role="status">
                This is the {word}. Store it now: it is never shown again.
              </Text>
              <Group wrap="nowrap" gap="xs">
                <Code fz="md" p="sm" style={{ overflowWrap: 'anywhere' }}>
                  {issued.secret}
                </Code>
                <CopyText text={issued.secret} what={`the ${word}`} />
              </Group>
            </>
          )}
          <Group justify="flex-end">
            <Button onClick={close}>I have stored it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function IssueForm({
  owner,
  word,
  onCancel,
  onDone,
}: {
  readonly owner: Owner;
  readonly word: 'key' | 'token';
  readonly onCancel: () => void;
  readonly onDone: (issued: IssuedCredential) => Promise<void>;
}): ReactNode {
  // The same key for every repetition of the request.
  const [idempotencyKey, setIdempotencyKey] = useState(newKey);
  const [label, setLabel] = useState('');
  const [expires, setExpires] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const fault =
    error instanceof RequestError ? error.faults.find(({ field }) => field === 'expiresAt')?.message : undefined;
  const issue = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      // Until the end of that day in the browser's zone.
      const expiresAt = expires === '' ? null : new Date(`${expires}T23:59:59`).toISOString();
      const name = `POST /console/api/${owner.kind}/:ownerKey/credentials` as const;
      const params = { ownerKey: owner.key };
      await onDone(await request(name, { params, body: { label, expiresAt }, idempotencyKey }));
    } catch (failure) {
      setError(failure);
      if (failure instanceof RequestError && failure.status >= 400 && failure.status < 500) setIdempotencyKey(newKey());
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void issue();
      }}
    >
      <Stack>
        <TextInput
          label="Label"
          description="Its purpose, such as “CRM import”, by which it is told apart later."
          required
          maxLength={100}
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          data-autofocus
        />
        <TextInput
          type="date"
          label="Valid until"
          description="Empty: valid until revoked."
          value={expires}
          onChange={({ currentTarget }) => setExpires(currentTarget.value)}
          error={fault}
        />
        {error !== null && fault === undefined && <Failure error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Issue {word}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
