// The dialog that invites a user by email.
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../confirm.tsx';
import { notifySent } from './notify-sent.ts';
import { RoleFields } from './role-fields.tsx';
import type { Right, UsersApi } from './users-api.ts';

export function InviteUser({
  api,
  isOpen,
  onInvited,
  onClose,
}: {
  readonly api: UsersApi;
  readonly isOpen: boolean;
  readonly onInvited: () => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<readonly Right[]>([]);
  const invite = async (): Promise<void> => {
    const body = { name: name.trim(), email: email.trim(), roles: [...roles] };
    notifySent(body.email, await api.invite(body));
    setName('');
    setEmail('');
    setRoles([]);
    await onInvited();
  };
  return (
    <Confirm
      isOpen={isOpen}
      title="Invite a user"
      action="Send invitation"
      isReady={name.trim() !== '' && email.trim() !== ''}
      onConfirm={invite}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={100}
        autoComplete="off"
        required
        data-autofocus
      />
      <TextInput
        type="email"
        label="Email"
        description="The link to choose a password goes there, and works for 7 days."
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        autoComplete="off"
        required
      />
      <RoleFields kind={api.kind} roles={roles} onChange={setRoles} />
    </Confirm>
  );
}
