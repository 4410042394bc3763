// The page of operators: list, invite, change role and address, disable, reset the second factor, send a link to a new password.
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';

import { notify } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import type { UserAction, UsersApi } from '../../ui/users/users-api.ts';
import { Users } from '../../ui/users/users.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { NotYours, useMay } from '../allowed.tsx';
import { request } from '../console-api.ts';
import { isRole, ROLE_CHOICES, type Role } from './roles.ts';

export function OperatorsPage(): ReactNode {
  const may = useMay('operators');
  return (
    <Page title="Operators" description={<ZoneNote />}>
      {may ? <Users api={OPERATORS} /> : <NotYours what="The list of operators" />}
    </Page>
  );
}

const OPERATORS: UsersApi<Role> = {
  key: ['operators'],
  word: 'operator',
  inviteTitle: 'Invite an operator',
  nameNote: 'To sign in with, such as dana',
  roles: {
    title: 'Role',
    first: 'read-only',
    text: (role) => role,
    renderField: (role, onChange) => (
      <NativeSelect
        label="Role"
        data={ROLE_CHOICES}
        value={role}
        onChange={({ currentTarget }) => {
          if (isRole(currentTarget.value)) onChange(currentTarget.value);
        }}
      />
    ),
  },
  columns: [
    {
      key: 'state',
      title: 'Status',
      cell: ({ isDisabled }) =>
        isDisabled ? <Status tone="idle">disabled</Status> : <Status tone="good">active</Status>,
    },
  ],
  async list(signal) {
    const { data, invitations } = await request('GET /console/api/operators', { signal });
    return {
      data: data.map((operator) => ({ ...operator, id: operator.name, isDisabled: operator.disabledAt !== null })),
      invitations,
    };
  },
  invite: ({ name, ...operator }) =>
    request('POST /console/api/operators/invitations', { body: { ...operator, name: name.toLowerCase() } }),
  resend: (invitationId) =>
    request('POST /console/api/operators/invitations/:invitationId/resend', { params: { invitationId } }),
  withdraw: (invitationId) =>
    request('POST /console/api/operators/invitations/:invitationId/withdraw', { params: { invitationId } }),
  setRole: (name, role) => request('POST /console/api/operators/:name/role', { params: { name }, body: { role } }),
  setEmail: (name, email) => request('POST /console/api/operators/:name/email', { params: { name }, body: { email } }),
  sendPasswordLink: (name) => request('POST /console/api/operators/:name/send-password-link', { params: { name } }),
  resetSecondFactor: (name) => request('POST /console/api/operators/:name/reset-second-factor', { params: { name } }),
  accessAction: ({ name, isDisabled }) => (isDisabled ? enabling(name) : disabling(name)),
};

function disabling(name: string): UserAction {
  return {
    label: 'Disable',
    question: `Disable ${name}?`,
    text: 'All sessions of the operator end at once, and sign-in is refused until the account is enabled again.',
    action: 'Disable',
    isDangerous: true,
    async perform() {
      await request('POST /console/api/operators/:name/disable', { params: { name } });
      notify(`${name} disabled.`);
    },
  };
}

function enabling(name: string): UserAction {
  return {
    label: 'Enable',
    question: `Enable ${name}?`,
    text: 'The operator may sign in again with the same password.',
    action: 'Enable',
    async perform() {
      await request('POST /console/api/operators/:name/enable', { params: { name } });
      notify(`${name} enabled.`);
    },
  };
}
