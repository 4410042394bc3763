// The dialog of one user: role, address, link to a new password, one-time codes, end of access.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../confirm.tsx';
import { notify } from '../notify.tsx';
import { Failure } from '../states.tsx';
import { notifySent } from './notify-sent.ts';
import type { User, UserAction, UsersApi } from './users-api.ts';

type Props<Role> = {
  readonly api: UsersApi<Role>;
  readonly onChanged: () => Promise<unknown>;
  readonly onClose: () => void;
};

export function ManageUser<Role>({
  user,
  ...props
}: Props<Role> & { readonly user: User<Role> | undefined }): ReactNode {
  return (
    <Modal
      opened={user !== undefined}
      onClose={props.onClose}
      title={user === undefined ? '' : `Manage ${user.name}`}
      centered
      size="lg"
    >
      {user !== undefined && (
        <Stack key={user.id} gap="lg">
          <Fields user={user} {...props} />
          <Actions user={user} {...props} />
        </Stack>
      )}
    </Modal>
  );
}

function Fields<Role>({
  user,
  api: { roles, setRole: sendRole, setEmail: sendEmail },
  onChanged,
  onClose,
}: Props<Role> & { readonly user: User<Role> }): ReactNode {
  const [role, setRole] = useState(() => user.role);
  const [email, setEmail] = useState(user.email ?? '');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    const address = email.trim();
    try {
      if (address !== '' && address !== user.email) await sendEmail?.(user.id, address);
      if (role !== user.role) await sendRole(user.id, role);
      notify(`${user.name} saved.`);
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
      await onChanged();
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        {sendEmail === undefined && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
        )}
        {roles.renderField(role, (chosen) => setRole(() => chosen))}
        {sendEmail !== undefined && (
          <TextInput
            type="email"
            label="Email"
            description="For links to a new password"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            autoComplete="off"
            required={user.email !== null}
          />
        )}
        {error !== null && <Failure error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Actions<Role>({ user, api, onChanged, onClose }: Props<Role> & { readonly user: User<Role> }): ReactNode {
  const { id, name, email, hasSecondFactor, isDisabled } = user;
  const perform = async (action: UserAction): Promise<void> => {
    await action.perform();
    onClose();
    await onChanged();
  };
  const actions: UserAction[] = [];
  if (email !== null && !isDisabled) {
    actions.push({
      label: 'Send a link to a new password',
      question: `Send a link to ${name}?`,
      text: 'The link works for one day. The present password works until another one is chosen.',
      action: 'Send link',
      perform: async () => notifySent(email, await api.sendPasswordLink(id)),
    });
  }
  if (hasSecondFactor) {
    actions.push({
      label: 'Reset one-time codes',
      question: `Reset the one-time codes of ${name}?`,
      text: `For a lost device. All sessions of the ${api.word} end, and sign-in requires only the password until new codes are set up.`,
      action: 'Reset codes',
      isDangerous: true,
      async perform() {
        await api.resetSecondFactor(id);
        notify(`The one-time codes of ${name} are reset.`);
      },
    });
  }
  actions.push(api.accessAction(user));
  return (
    <Group>
      {actions.map((action) => (
        <ActionButton key={action.label} action={action} onConfirm={() => perform(action)} />
      ))}
    </Group>
  );
}

function ActionButton({
  action: { label, question, text, action, isDangerous = false },
  onConfirm,
}: {
  readonly action: UserAction;
  readonly onConfirm: () => Promise<void>;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={question}
        action={action}
        isDangerous={isDangerous}
        onConfirm={onConfirm}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">{text}</Text>
      </Confirm>
    </>
  );
}
