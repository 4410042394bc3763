// The form for users who have forgotten their password: asks for the address that a link to a new one is mailed to.
import { Anchor, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { useBrand } from '../ui/brand.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { request } from './portal-api.ts';

const TITLE = 'Forgot your password?';

type Back = { readonly onBack: () => void };

export function ForgottenPassword({
  email: typed,
  isMailed,
  onBack,
}: Back & {
  /** What stands in the sign-in form. */
  readonly email: string;
  /** Whether the service can mail a link. */
  readonly isMailed: boolean;
}): ReactNode {
  const [email, setEmail] = useState(typed);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => request('POST /portal/api/password-links', { body: { email: email.trim() } }),
  });
  if (!isMailed) return <NoMail onBack={onBack} />;
  if (isSuccess) {
    return (
      <Message onBack={onBack}>
        If a user has this address, a link to a new password is on its way. It works for one hour.
      </Message>
    );
  }
  return (
    <SignInFrame
      title={TITLE}
      intro="Enter the email address that you sign in with. A link to a new password is sent to it."
      action="Send link"
      failure="No link was requested"
      isBusy={isPending}
      error={error}
      onSubmit={mutate}
    >
      <TextInput
        type="email"
        label="Email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="username"
        required
        autoFocus
      />
      <Anchor component="button" type="button" size="sm" ta="start" onClick={onBack}>
        Back to sign-in
      </Anchor>
    </SignInFrame>
  );
}

function NoMail({ onBack }: Back): ReactNode {
  const { helpEmail } = useBrand();
  return (
    <Message onBack={onBack}>
      Ask a colleague who manages users, or the marketplace
      {helpEmail !== null && (
        <>
          {' '}
          (<Anchor href={`mailto:${helpEmail}`}>{helpEmail}</Anchor>)
        </>
      )}
      , for a link to a new password.
    </Message>
  );
}

function Message({ onBack, children }: Back & { readonly children: ReactNode }): ReactNode {
  return (
    <SignInFrame title={TITLE} intro="" action="Back to sign-in" isBusy={false} error={null} onSubmit={onBack}>
      <Text component="div" size="sm" role="status">
        {children}
      </Text>
    </SignInFrame>
  );
}
