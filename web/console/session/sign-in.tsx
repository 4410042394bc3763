// The console's sign-in page: name, password, and a one-time code if the operator has set it up.
import { PasswordInput, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

import { RequestError } from '../../ui/request.ts';
import { useSignIn } from '../../ui/session.ts';
import { SignInFrame } from '../../ui/sign-in-frame.tsx';
import { type LinkedOperator, signIn } from '../session.ts';

export function SignIn({
  linked,
  onLinked,
}: {
  /** Signed in automatically; null shows the form. */
  readonly linked: LinkedOperator | null;
  readonly onLinked: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useSignIn(signIn);
  const asksForCode = error instanceof RequestError && error.code === 'totp_required';
  // The field stays, also after a wrong code.
  const needsCode = asksForCode || code !== '';
  useEffect(() => {
    if (linked === null) return;
    onLinked();
    mutate(linked);
  }, [linked, onLinked, mutate]);
  return (
    <SignInFrame
      title="Operator console"
      intro={
        <>
          For operators of the marketplace. Create an account with <code>leadmarket operator add NAME</code>.
        </>
      }
      isBusy={isPending}
      error={asksForCode ? null : error}
      onSubmit={() => mutate({ name: name.trim(), password, ...(code === '' ? {} : { code: code.trim() }) })}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="username"
        required
        autoFocus
      />
      <PasswordInput
        label="Password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': 'Show text', tabIndex: 0 }}
      />
      {needsCode && (
        <TextInput
          label="One-time code"
          description="Six digits from your authenticator"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
        />
      )}
    </SignInFrame>
  );
}
