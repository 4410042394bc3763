// The page of operators: list, invite, change role and address, disable, reset the second factor, send a link to a new password.
import { Button, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Operator, OperatorInvitation } from '../../../src/console/operators.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { InvitationActions } from '../../ui/users/invitation-actions.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import { NotYours, useMay } from '../allowed.tsx';
import { request } from '../console-api.ts';
import { InviteOperator } from './invite-operator.tsx';
import { ManageOperator } from './manage-operator.tsx';

const KEY = ['operators'];

export function OperatorsPage(): ReactNode {
  const may = useMay('operators');
  return (
    <Page title="Operators" description={<ZoneNote />}>
      {may ? <Operators /> : <NotYours what="The list of operators" />}
    </Page>
  );
}

function Operators(): ReactNode {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => request('GET /console/api/operators', { signal }) });
  const [isInviting, setInviting] = useState(false);
  const [managed, setManaged] = useState<string | null>(null);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: KEY });
  return (
    <Stack gap="lg">
      <Section title="Accounts" actions={<Button onClick={() => setInviting(true)}>Invite an operator</Button>}>
        <Loaded query={query} what="Loading operators">
          {({ data }) => (
            <>
              <DataTable
                caption="Operators"
                columns={accountColumns(setManaged)}
                rows={data}
                rowKey={({ name }) => name}
                empty={<Empty title="No operators" />}
              />
              <ManageOperator
                operator={data.find(({ name }) => name === managed) ?? null}
                onChanged={refresh}
                onClose={() => setManaged(null)}
              />
            </>
          )}
        </Loaded>
      </Section>
      {query.data !== undefined && query.data.invitations.length > 0 && (
        <Section title="Invitations">
          <DataTable
            caption="Invitations"
            columns={INVITATION_COLUMNS}
            rows={query.data.invitations}
            rowKey={({ invitationId }) => invitationId}
            empty={<Empty title="No invitations" />}
          />
        </Section>
      )}
      <InviteOperator isOpen={isInviting} onInvited={refresh} onClose={() => setInviting(false)} />
    </Stack>
  );
}

function accountColumns(onManage: (name: string) => void): ReadonlyArray<Column<Operator>> {
  return [
    { key: 'name', title: 'Name', isRowHeader: true, cell: ({ name, isYou }) => (isYou ? `${name} (you)` : name) },
    { key: 'email', title: 'Email', cell: ({ email }) => email ?? 'None' },
    { key: 'role', title: 'Role', cell: ({ role }) => role },
    {
      key: 'factor',
      title: 'One-time codes',
      cell: ({ hasSecondFactor }) => (
        <Status tone={hasSecondFactor ? 'good' : 'idle'}>{hasSecondFactor ? 'on' : 'off'}</Status>
      ),
    },
    {
      key: 'used',
      title: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} kind="short" />),
    },
    {
      key: 'state',
      title: 'Status',
      cell: ({ disabledAt }) =>
        disabledAt === null ? <Status tone="good">active</Status> : <Status tone="idle">disabled</Status>,
    },
    {
      key: 'manage',
      title: 'Action',
      cell: ({ name }) => (
        <Button size="compact-sm" variant="default" onClick={() => onManage(name)} aria-label={`Manage ${name}`}>
          Manage
        </Button>
      ),
    },
  ];
}

const INVITATION_COLUMNS: ReadonlyArray<Column<OperatorInvitation>> = [
  { key: 'name', title: 'Name', isRowHeader: true, cell: ({ name }) => name },
  { key: 'email', title: 'Email', cell: ({ email }) => email },
  { key: 'role', title: 'Role', cell: ({ role }) => role },
  { key: 'by', title: 'Invited by', cell: ({ invitedBy }) => invitedBy },
  {
    key: 'expires',
    title: 'Link works until',
    cell: ({ expiresAt }) =>
      new Date(expiresAt) > new Date() ? <Time at={expiresAt} kind="short" /> : <Status tone="idle">expired</Status>,
  },
  { key: 'action', title: 'Action', cell: (invitation) => <InvitationActionsOf invitation={invitation} /> },
];

function InvitationActionsOf({
  invitation: { invitationId, email },
}: {
  readonly invitation: OperatorInvitation;
}): ReactNode {
  const params = { invitationId };
  return (
    <InvitationActions
      email={email}
      list={KEY}
      onResend={() => request('POST /console/api/operators/invitations/:invitationId/resend', { params })}
      onWithdraw={() => request('POST /console/api/operators/invitations/:invitationId/withdraw', { params })}
    />
  );
}
