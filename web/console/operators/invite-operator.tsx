// The dialog that invites an operator by email.
import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { notifySent } from '../../ui/users/notify-sent.ts';
import { request } from '../console-api.ts';
import { isRole, ROLE_CHOICES, type Role } from './roles.ts';

export function InviteOperator({
  isOpen,
  onInvited,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onInvited: () => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('read-only');
  const invite = async (): Promise<void> => {
    const body = { name: name.trim().toLowerCase(), email: email.trim(), role };
    notifySent(body.email, await request('POST /console/api/operators/invitations', { body }));
    setName('');
    setEmail('');
    await onInvited();
  };
  return (
    <Confirm
      isOpen={isOpen}
      title="Invite an operator"
      action="Send invitation"
      isReady={name.trim() !== '' && email.trim() !== ''}
      onConfirm={invite}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="To sign in with, such as dana"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
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
      <NativeSelect
        label="Role"
        data={ROLE_CHOICES}
        value={role}
        onChange={({ currentTarget }) => {
          if (isRole(currentTarget.value)) setRole(currentTarget.value);
        }}
      />
    </Confirm>
  );
}
