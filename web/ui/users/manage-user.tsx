// The dialog of one user: roles, link to a new password, one-time codes, removal.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { User } from '../../../src/scopes/users.schema.ts';
import { Confirm } from '../confirm.tsx';
import { notify } from '../notify.tsx';
import { Failure } from '../states.tsx';
import { notifySent } from './notify-sent.ts';
import { RoleFields } from './role-fields.tsx';
import type { Right, UsersApi } from './users-api.ts';

type Props = {
  readonly api: UsersApi;
  readonly onChanged: () => Promise<unknown>;
  readonly onClose: () => void;
};

export function ManageUser({ user, ...props }: Props & { readonly user: User | null }): ReactNode {
  return (
    <Modal
      opened={user !== null}
      onClose={props.onClose}
      title={user === null ? '' : `Manage ${user.name}`}
      centered
      size="lg"
    >
      {user !== null && <Fields key={user.userId} user={user} {...props} />}
    </Modal>
  );
}

function Fields({ user, api, onChanged, onClose }: Props & { readonly user: User }): ReactNode {
  const { userId } = user;
  const [roles, setRoles] = useState<readonly Right[]>(user.roles);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await api.setRoles(userId, roles);
      notify(`${user.name} saved.`);
      onClose();
      await onChanged();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
          <RoleFields kind={api.kind} roles={roles} onChange={setRoles} />
          {error !== null && <Failure error={error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      <Actions user={user} api={api} onChanged={onChanged} onClose={onClose} />
    </Stack>
  );
}

type Question = 'link' | 'factor' | 'remove';

function Actions({ user, api, onChanged, onClose }: Props & { readonly user: User }): ReactNode {
  const { userId, email, name } = user;
  const [question, setQuestion] = useState<Question | null>(null);
  const { title, text, action } = TEXTS[question ?? 'link'];
  const perform = async (): Promise<void> => {
    if (question === 'link') {
      notifySent(email, await api.sendPasswordLink(userId));
    } else if (question === 'factor') {
      await api.resetSecondFactor(userId);
      notify(`The one-time codes of ${name} are reset.`);
    } else {
      await api.remove(userId);
      notify(`${name} removed.`);
    }
    onClose();
    await onChanged();
  };
  return (
    <Group>
      <Button variant="default" onClick={() => setQuestion('link')}>
        Send a link to a new password
      </Button>
      {user.hasSecondFactor && (
        <Button variant="default" onClick={() => setQuestion('factor')}>
          Reset one-time codes
        </Button>
      )}
      <Button variant="default" onClick={() => setQuestion('remove')}>
        Remove
      </Button>
      <Confirm
        isOpen={question !== null}
        title={`${title} ${name}?`}
        action={action}
        isDangerous={question !== 'link'}
        onConfirm={perform}
        onClose={() => setQuestion(null)}
      >
        <Text size="sm">{text}</Text>
      </Confirm>
    </Group>
  );
}

const TEXTS: Readonly<Record<Question, { readonly title: string; readonly text: string; readonly action: string }>> = {
  link: {
    title: 'Send a link to',
    text: 'The link works for one day. The present password works until another one is chosen.',
    action: 'Send link',
  },
  factor: {
    title: 'Reset the one-time codes of',
    text: 'For a lost device. All sessions of the user end, and sign-in requires only the password until new codes are set up.',
    action: 'Reset codes',
  },
  remove: {
    title: 'Remove',
    text: 'All sessions of the user end at once, and sign-in is refused. Tokens and keys of the account are not affected.',
    action: 'Remove',
  },
};
