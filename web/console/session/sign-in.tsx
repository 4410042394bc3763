// The console's sign-in page: name, password, and a one-time code if the operator has set it up.
import { Alert, Button, Divider, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

import type { ProviderSignInFault } from '../../../src/console/session.schema.ts';
import { PasswordFields } from '../../ui/password-fields.tsx';
import { RequestError } from '../../ui/request.ts';
import { useSignIn } from '../../ui/session.ts';
import { SignInFrame } from '../../ui/sign-in-frame.tsx';
import { type LinkedOperator, signIn } from '../session.ts';

const FAULTS: Readonly<Record<ProviderSignInFault, string>> = {
  provider_failed: 'The sign-in at the provider did not work. Try again, or sign in with your password.',
  sign_in_over: 'This sign-in was not begun in this browser, or took too long. Try again.',
  sign_in_canceled: 'The sign-in was canceled at the provider.',
  not_an_operator:
    'The provider signed you in, but no operator has your verified email address. Ask an administrator to add it to your account.',
};

export function SignIn({
  provider,
  linked,
  onLinked,
}: {
  /** The name of the identity provider; null where there is none. */
  readonly provider: string | null;
  /** Signed in automatically; null shows the form. */
  readonly linked: LinkedOperator | null;
  readonly onLinked: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useSignIn(signIn);
  const asksForCode = error instanceof RequestError && error.code === 'totp_required';
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
      {provider !== null && <ProviderButton provider={provider} />}
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="username"
        required
        autoFocus
      />
      <PasswordFields
        password={password}
        onPassword={setPassword}
        code={code}
        onCode={setCode}
        asksForCode={asksForCode}
      />
    </SignInFrame>
  );
}

function ProviderButton({ provider }: { readonly provider: string }): ReactNode {
  const fault = new URLSearchParams(location.search).get('signIn');
  const wanted = fault === null ? `${location.pathname}${location.search}` : '/console';
  return (
    <>
      {fault !== null && Object.hasOwn(FAULTS, fault) && (
        <Alert color="red" role="alert" title="Sign-in failed">
          {FAULTS[fault as ProviderSignInFault]}
        </Alert>
      )}
      <Button component="a" variant="default" href={`/console/api/provider-sign-in?to=${encodeURIComponent(wanted)}`}>
        Sign in with {provider}
      </Button>
      <Divider label="or with your password" />
    </>
  );
}
