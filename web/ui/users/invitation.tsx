// The page behind the link of an invitation: choose a password, then sign in.
import { PasswordInput, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { AcceptInvitation, Invitation, OpenInvitation } from '../../../src/users/invitation.schema.ts';
import { createApi } from '../api.ts';
import { RequestError } from '../request.ts';
import type { Area } from '../session.ts';
import { SignInFrame } from '../sign-in-frame.tsx';
import { Failure, Loading } from '../states.tsx';

const { request } = createApi<{
  'POST /:area/api/invitation': { body: OpenInvitation; response: Invitation };
  'POST /:area/api/invitation/accept': { body: AcceptInvitation };
}>();

const PASSWORD_MIN = 12;

export function InvitationPage({
  area,
  secret,
  onAccepted,
}: {
  readonly area: Area;
  /** From the link; null after a reload, which does not keep it. */
  readonly secret: string | null;
  readonly onAccepted?: () => void;
}): ReactNode {
  const query = useQuery({
    queryKey: ['invitation'],
    queryFn: ({ signal }) =>
      request('POST /:area/api/invitation', { params: { area }, body: { secret: secret ?? '' }, signal }),
    enabled: secret !== null,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (secret === null) {
    return (
      <Message area={area} title="Open the link again">
        The link from the email works in a new tab. This page does not keep it.
      </Message>
    );
  }
  if (query.isError) {
    return (
      <Message area={area} title="This link does not work">
        <Failure error={query.error} title="No invitation" />
      </Message>
    );
  }
  if (query.data === undefined) return <Loading what="Loading the invitation" />;
  return <PasswordForm area={area} secret={secret} invitation={query.data} onAccepted={onAccepted} />;
}

function PasswordForm({
  area,
  secret,
  invitation: { account, signsInAs, isNewPassword },
  onAccepted,
}: {
  readonly area: Area;
  readonly secret: string;
  readonly invitation: Invitation;
  readonly onAccepted: (() => void) | undefined;
}): ReactNode {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => request('POST /:area/api/invitation/accept', { params: { area }, body: { secret, password } }),
    onSuccess: () => onAccepted?.(),
  });
  if (isSuccess) {
    return (
      <Message area={area} title="Your password is set">
        You sign in as <strong>{signsInAs}</strong>.
      </Message>
    );
  }
  const where = account ?? 'the operator console';
  const fault = error instanceof RequestError ? error.faults.find(({ field }) => field === 'password') : undefined;
  const differs = again !== '' && again !== password;
  return (
    <SignInFrame
      title={isNewPassword ? 'Choose a new password' : 'Accept your invitation'}
      intro={
        <>
          You sign in to {where} as <strong>{signsInAs}</strong>. Choose a password with {PASSWORD_MIN} characters or
          more.
        </>
      }
      action="Set password"
      failure="The password was not set"
      isBusy={isPending}
      error={fault === undefined ? error : null}
      onSubmit={() => {
        if (again === password) mutate();
      }}
    >
      <input type="text" name="username" autoComplete="username" value={signsInAs} readOnly hidden />
      <PasswordInput
        label="New password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="new-password"
        minLength={PASSWORD_MIN}
        required
        autoFocus
        error={fault?.message}
      />
      <PasswordInput
        label="Repeat the password"
        value={again}
        onChange={(event) => setAgain(event.currentTarget.value)}
        autoComplete="new-password"
        required
        error={differs ? 'The two passwords differ' : undefined}
      />
    </SignInFrame>
  );
}

function Message({
  area,
  title,
  children,
}: {
  readonly area: Area;
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <SignInFrame title={title} intro="" isBusy={false} error={null} onSubmit={() => location.assign(`/${area}`)}>
      <Text component="div" size="sm">
        {children}
      </Text>
    </SignInFrame>
  );
}
