// The users of a partner or supplier, or the operators: list, invite, change roles and addresses, end access.
import { Button, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { type Column, DataTable } from '../data-table.tsx';
import { Section } from '../facts.tsx';
import { Empty, Loaded } from '../states.tsx';
import { Status } from '../status.tsx';
import { Time } from '../zone.tsx';
import { InvitationActions } from './invitation-actions.tsx';
import { InviteUser } from './invite-user.tsx';
import { ManageUser } from './manage-user.tsx';
import type { InvitedUser, User, UsersApi } from './users-api.ts';

export function Users<Role>({ api }: { readonly api: UsersApi<Role> }): ReactNode {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: api.key, queryFn: ({ signal }) => api.list(signal) });
  const [isInviting, setInviting] = useState(false);
  const [managed, setManaged] = useState<string | null>(null);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: api.key });
  return (
    <Stack gap="lg">
      <Section title="Accounts" actions={<Button onClick={() => setInviting(true)}>{api.inviteTitle}</Button>}>
        <Loaded query={query} what={`Loading ${api.word}s`}>
          {({ data }) => (
            <>
              <DataTable
                caption="Accounts"
                columns={userColumns(api, setManaged)}
                rows={data}
                rowKey={({ id }) => id}
                empty={<Empty title={`No ${api.word}s yet`}>{api.emptyNote}</Empty>}
              />
              <ManageUser
                user={data.find(({ id }) => id === managed)}
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

function userColumns<Role>(
  { roles, columns = [] }: UsersApi<Role>,
  onManage: (id: string) => void,
): ReadonlyArray<Column<User<Role>>> {
  return [
    { key: 'name', title: 'Name', isRowHeader: true, cell: ({ name, isYou }) => (isYou ? `${name} (you)` : name) },
    { key: 'email', title: 'Email', cell: ({ email }) => email ?? 'None' },
    { key: 'role', title: roles.title, cell: ({ role }) => roles.text(role) },
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
    ...columns,
    {
      key: 'manage',
      title: 'Action',
      // The address also tells users of one name apart.
      cell: ({ id, name, email }) => (
        <Button size="compact-sm" variant="default" onClick={() => onManage(id)} aria-label={`Manage ${email ?? name}`}>
          Manage
        </Button>
      ),
    },
  ];
}

function invitationColumns<Role>(api: UsersApi<Role>): ReadonlyArray<Column<InvitedUser<Role>>> {
  return [
    { key: 'name', title: 'Name', isRowHeader: true, cell: ({ name }) => name },
    { key: 'email', title: 'Email', cell: ({ email }) => email },
    { key: 'role', title: api.roles.title, cell: ({ role }) => api.roles.text(role) },
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
