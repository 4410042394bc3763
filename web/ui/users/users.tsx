// The users of a partner or supplier, in the portal and at the console: list, invite, change roles, remove.
import { Button, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { User, UserInvitation } from '../../../src/scopes/users.schema.ts';
import { type Column, DataTable } from '../data-table.tsx';
import { Section } from '../facts.tsx';
import { Empty, Loaded } from '../states.tsx';
import { Status } from '../status.tsx';
import { InvitationActions } from './invitation-actions.tsx';
import { Time } from '../zone.tsx';
import { InviteUser } from './invite-user.tsx';
import { ManageUser } from './manage-user.tsx';
import { rolesText } from './role-fields.tsx';
import type { UsersApi } from './users-api.ts';

export function Users({ api }: { readonly api: UsersApi }): ReactNode {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: api.key, queryFn: ({ signal }) => api.list(signal) });
  const [isInviting, setInviting] = useState(false);
  const [managed, setManaged] = useState<string | null>(null);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: api.key });
  return (
    <Stack gap="lg">
      <Section title="Accounts" actions={<Button onClick={() => setInviting(true)}>Invite a user</Button>}>
        <Loaded query={query} what="Loading users">
          {({ data }) => (
            <>
              <DataTable
                caption="Users"
                columns={userColumns(setManaged)}
                rows={data}
                rowKey={({ userId }) => userId}
                empty={<Empty title="No users yet">{api.emptyNote}</Empty>}
              />
              <ManageUser
                user={data.find(({ userId }) => userId === managed) ?? null}
                api={api}
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
            columns={invitationColumns(api)}
            rows={query.data.invitations}
            rowKey={({ invitationId }) => invitationId}
            empty={<Empty title="No invitations" />}
          />
        </Section>
      )}
      <InviteUser api={api} isOpen={isInviting} onInvited={refresh} onClose={() => setInviting(false)} />
    </Stack>
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

function invitationColumns(api: UsersApi): ReadonlyArray<Column<UserInvitation>> {
  return [
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
    {
      key: 'action',
      title: 'Action',
      cell: ({ invitationId, email }) => (
        <InvitationActions
          email={email}
          list={api.key}
          onResend={() => api.resend(invitationId)}
          onWithdraw={() => api.withdraw(invitationId)}
        />
      ),
    },
  ];
}
