// The named secrets of a partner's webhook: set, replaced and removed, and never shown.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { NewSecret } from '../../../src/console/partner-webhook.schema.ts';
import type { ListedSecret } from '../../../src/scopes/webhook-trial.schema.ts';
import { Confirm } from '../confirm.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { Section } from '../facts.tsx';
import { notify } from '../notify.tsx';
import { RequestError } from '../request.ts';
import { Empty, Failure } from '../states.tsx';
import { Status } from '../status.tsx';
import { Time } from '../zone.tsx';

export function NamedSecrets({
  secrets,
  isReadOnly,
  onSet,
  onRemove,
}: {
  readonly secrets: readonly ListedSecret[];
  readonly isReadOnly: boolean;
  readonly onSet: (body: NewSecret) => Promise<unknown>;
  readonly onRemove: (name: string) => Promise<unknown>;
}): ReactNode {
  const [removing, setRemoving] = useState<string | null>(null);
  return (
    <Section title="Secrets">
      <Text size="sm" c="dimmed">
        Stored encrypted and never shown again. A template names one as {'{{ secret.api_token }}'}. Setting a name again
        replaces its value.
      </Text>
      <SecretsTable secrets={secrets} {...(isReadOnly ? {} : { onRemove: setRemoving })} />
      {!isReadOnly && <SecretForm onSet={onSet} />}
      <Confirm
        isOpen={removing !== null}
        title={`Remove ${removing ?? ''}?`}
        action="Remove secret"
        isDangerous
        onClose={() => setRemoving(null)}
        onConfirm={async () => {
          if (removing !== null) await onRemove(removing);
          notify('The secret is removed.');
        }}
      >
        <Text size="sm">Leads whose template names it are not sent until it is set again.</Text>
      </Confirm>
    </Section>
  );
}

/** The names, without values. */
export function SecretsTable({
  secrets,
  onRemove,
}: {
  readonly secrets: readonly ListedSecret[];
  readonly onRemove?: (name: string) => void;
}): ReactNode {
  return (
    <DataTable
      caption="Secrets"
      columns={onRemove === undefined ? COLUMNS : [...COLUMNS, removalColumn(onRemove)]}
      rows={secrets}
      rowKey={({ name }) => name}
      empty={<Empty title="No secrets yet" />}
    />
  );
}

const COLUMNS: ReadonlyArray<Column<ListedSecret>> = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'set', title: 'Set', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    key: 'state',
    title: 'Status',
    cell: ({ isReadable }) => (
      <Status tone={isReadable ? 'good' : 'bad'}>{isReadable ? 'stored' : 'cannot be read: set it again'}</Status>
    ),
  },
];

function removalColumn(onRemove: (name: string) => void): Column<ListedSecret> {
  return {
    key: 'remove',
    title: 'Actions',
    cell: ({ name }) => (
      <Button size="compact-sm" variant="default" onClick={() => onRemove(name)} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    ),
  };
}

function SecretForm({ onSet }: { readonly onSet: (body: NewSecret) => Promise<unknown> }): ReactNode {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const faultOf = (member: string): string | null => {
    const found = error instanceof RequestError ? error.faults.find(({ field }) => field === member) : undefined;
    return found === undefined ? null : `This ${found.message}.`;
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onSet({ name: name.trim(), value });
      notify(`The secret ${name.trim()} is stored.`);
      setName('');
      setValue('');
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const isKnownFault = faultOf('name') !== null || faultOf('value') !== null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      aria-label="Set a secret"
      autoComplete="off"
    >
      <Stack gap="sm">
        <Group align="flex-start">
          <TextInput
            label="Name"
            description="Lower-case letters, digits and underscores."
            value={name}
            autoComplete="off"
            spellCheck={false}
            maxLength={63}
            error={faultOf('name')}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            flex="1 1 180px"
            maw={300}
          />
          <TextInput
            label="Value"
            description="One line, 4 characters and more."
            type="password"
            value={value}
            autoComplete="new-password"
            error={faultOf('value')}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            flex="1 1 220px"
            maw={420}
          />
        </Group>
        {error !== null && !isKnownFault && <Failure error={error} />}
        <Group>
          <Button type="submit" variant="default" loading={isBusy} disabled={name.trim() === '' || value === ''}>
            Store secret
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
