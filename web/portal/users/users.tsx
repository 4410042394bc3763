// The users of a partner or supplier: list, invite, change roles, remove.
import { Button, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { User, UserInvitation } from '../../../src/portal/users.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { InvitationActions } from '../../ui/users/invitation-actions.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import { request } from '../portal-api.ts';
import { InviteUser } from './invite-user.tsx';
import { ManageUser } from './manage-user.tsx';
import { rolesText } from './role-fields.tsx';

const KEY = ['users'];

export function UsersPage(): ReactNode {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => request('GET /portal/api/users', { signal }) });
  const [isInviting, setInviting] = useState(false);
  const [managed, setManaged] = useState<string | null>(null);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: KEY });
  return (
    <Page
      title="Users"
      description={<ZoneNote />}
      actions={<Button onClick={() => setInviting(true)}>Invite a user</Button>}
    >
      <Loaded query={query} what="Loading users">
        {({ data, invitations }) => (
          <Stack gap="lg">
            <Section title="Accounts">
              <DataTable
                caption="Users"
                columns={userColumns(setManaged)}
                rows={data}
                rowKey={({ userId }) => userId}
                empty={<Empty title="No users yet">Invite colleagues by email, so that they need no token.</Empty>}
              />
            </Section>
            {invitations.length > 0 && (
              <Section title="Invitations">
                <DataTable
                  caption="Invitations"
                  columns={INVITATION_COLUMNS}
                  rows={invitations}
                  rowKey={({ invitationId }) => invitationId}
                  empty={<Empty title="No invitations" />}
                />
              </Section>
            )}
            <ManageUser
              user={data.find(({ userId }) => userId === managed) ?? null}
              onChanged={refresh}
              onClose={() => setManaged(null)}
            />
          </Stack>
        )}
      </Loaded>
      <InviteUser isOpen={isInviting} onInvited={refresh} onClose={() => setInviting(false)} />
    </Page>
  );
}

function userColumns(onManage: (userId: string) => void): ReadonlyArray<Column<User>> {
  return [
    { key: 'name', title: 'Name', isRowHeader: true, cell: ({ name, isYou }) => (isYou ? `${name} (you)` : name) },
    { key: 'email', title: 'Email', cell: ({ email }) => email },
    { key: 'roles', title: 'Permissions', cell: ({ roles }) => rolesText(roles) },
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
      key: 'manage',
      title: 'Action',
      cell: ({ userId, email }) => (
        <Button size="compact-sm" variant="default" onClick={() => onManage(userId)} aria-label={`Manage ${email}`}>
          Manage
        </Button>
      ),
    },
  ];
}

const INVITATION_COLUMNS: ReadonlyArray<Column<UserInvitation>> = [
  { key: 'email', title: 'Email', isRowHeader: true, cell: ({ email }) => email },
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'roles', title: 'Permissions', cell: ({ roles }) => rolesText(roles) },
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
  readonly invitation: UserInvitation;
}): ReactNode {
  const params = { invitationId };
  return (
    <InvitationActions
      email={email}
      list={KEY}
      onResend={() => request('POST /portal/api/users/invitations/:invitationId/resend', { params })}
      onWithdraw={() => request('POST /portal/api/users/invitations/:invitationId/withdraw', { params })}
    />
  );
}
