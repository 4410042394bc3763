// The dialog of one operator: role, address, link to a new password, second factor, disabling.
import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { Operator } from '../../../src/console/operators.schema.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { Failure } from '../../ui/states.tsx';
import { notifySent } from '../../ui/users/notify-sent.ts';
import { request } from '../console-api.ts';
import { isRole, ROLE_CHOICES } from './roles.ts';

type Props = {
  readonly onChanged: () => Promise<unknown>;
  readonly onClose: () => void;
};

export function ManageOperator({ operator, ...props }: Props & { readonly operator: Operator | null }): ReactNode {
  return (
    <Modal
      opened={operator !== null}
      onClose={props.onClose}
      title={operator === null ? '' : `Manage ${operator.name}`}
      centered
      size="lg"
    >
      {operator !== null && <Fields key={operator.name} operator={operator} {...props} />}
    </Modal>
  );
}

function Fields({ operator, onChanged, onClose }: Props & { readonly operator: Operator }): ReactNode {
  const { name } = operator;
  const [role, setRole] = useState(operator.role);
  const [email, setEmail] = useState(operator.email ?? '');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    const address = email.trim();
    try {
      if (address !== '' && address !== operator.email) {
        await request('POST /console/api/operators/:name/email', { params: { name }, body: { email: address } });
      }
      if (role !== operator.role) {
        await request('POST /console/api/operators/:name/role', { params: { name }, body: { role } });
      }
      notify(`${name} saved.`);
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
      await onChanged();
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
          <NativeSelect
            label="Role"
            data={ROLE_CHOICES}
            value={role}
            onChange={({ currentTarget }) => {
              if (isRole(currentTarget.value)) setRole(currentTarget.value);
            }}
          />
          <TextInput
            type="email"
            label="Email"
            description="For links to a new password"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            autoComplete="off"
          />
          {error !== null && <Failure error={error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      <Actions operator={operator} onChanged={onChanged} onClose={onClose} />
    </Stack>
  );
}

type Question = 'link' | 'factor' | 'disable' | 'enable';

function Actions({ operator, onChanged, onClose }: Props & { readonly operator: Operator }): ReactNode {
  const { name, email, hasSecondFactor, disabledAt } = operator;
  const [question, setQuestion] = useState<Question | null>(null);
  const isActive = disabledAt === null;
  const { title, text, action } = TEXTS[question ?? 'link'];
  const perform = async (): Promise<void> => {
    const params = { params: { name } };
    if (question === 'link') {
      notifySent(email ?? '', await request('POST /console/api/operators/:name/send-password-link', params));
    } else if (question !== null) {
      const verb = question === 'factor' ? 'reset-second-factor' : question;
      await request(`POST /console/api/operators/:name/${verb}`, params);
      notify(`${name}: done.`);
    }
    onClose();
    await onChanged();
  };
  return (
    <Group>
      {isActive && email !== null && (
        <Button variant="default" onClick={() => setQuestion('link')}>
          Send a link to a new password
        </Button>
      )}
      {hasSecondFactor && (
        <Button variant="default" onClick={() => setQuestion('factor')}>
          Reset one-time codes
        </Button>
      )}
      <Button variant="default" onClick={() => setQuestion(isActive ? 'disable' : 'enable')}>
        {isActive ? 'Disable' : 'Enable'}
      </Button>
      <Confirm
        isOpen={question !== null}
        title={`${title} ${name}?`}
        action={action}
        isDangerous={question === 'disable' || question === 'factor'}
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
    text: 'For a lost device. All sessions of the operator end, and sign-in requires only the password until new codes are set up.',
    action: 'Reset codes',
  },
  disable: {
    title: 'Disable',
    text: 'All sessions of the operator end at once, and sign-in is refused until the account is enabled again.',
    action: 'Disable',
  },
  enable: { title: 'Enable', text: 'The operator may sign in again with the same password.', action: 'Enable' },
};
