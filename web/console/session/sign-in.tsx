// Signing in to the console: name, password, and a one-time code where the operator has set one up.
import { PasswordInput, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

import { RequestError } from '../../ui/request.ts';
import { useSignIn } from '../../ui/session.ts';
import { SignInFrame } from '../../ui/sign-in-frame.tsx';
import type { ConsoleSession, SignIn as SignInBody } from '../../../src/console/session.schema.ts';
import { request } from '../console-api.ts';
import type { LinkedOperator } from './linked-operator.ts';

/** A name and password, and a one-time code where one is asked for, for a session. */
export function signIn(body: SignInBody): Promise<ConsoleSession> {
  return request('POST /console/api/session', { body });
}

export function SignIn({
  linked,
  onLinked,
}: {
  /** Signs in by itself; null for the form. */
  readonly linked: LinkedOperator | null;
  readonly onLinked: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useSignIn(signIn);
  const asksForCode = error instanceof RequestError && error.code === 'totp_required';
  // It stays once it was asked for, also after a wrong one.
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
          For those who run the marketplace. <code>leadmarket operator add NAME</code> makes an account.
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
        visibilityToggleButtonProps={{ 'aria-label': 'Show what was typed', tabIndex: 0 }}
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
