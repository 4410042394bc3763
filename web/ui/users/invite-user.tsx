// The dialog that invites a user by email.
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../confirm.tsx';
import { notifySent } from './notify-sent.ts';
import type { UsersApi } from './users-api.ts';

export function InviteUser<Role>({
  api: { inviteTitle, nameNote, roles, invite },
  isOpen,
  onInvited,
  onClose,
}: {
  readonly api: UsersApi<Role>;
  readonly isOpen: boolean;
  readonly onInvited: () => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState(() => roles.first);
  const send = async (): Promise<void> => {
    const address = email.trim();
    notifySent(address, await invite({ name: name.trim(), email: address, role }));
    setName('');
    setEmail('');
    setRole(() => roles.first);
    await onInvited();
  };
  return (
    <Confirm
      isOpen={isOpen}
      title={inviteTitle}
      action="Send invitation"
      isReady={name.trim() !== '' && email.trim() !== ''}
      onConfirm={send}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description={nameNote}
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
      {roles.renderField(role, (chosen) => setRole(() => chosen))}
    </Confirm>
  );
}
