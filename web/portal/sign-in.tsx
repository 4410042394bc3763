// The portal's sign-in page: with a token or key, or with an email address and a password.
import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';

import { lazyPart } from '../ui/lazy-part.tsx';
import { PasswordFields } from '../ui/password-fields.tsx';
import { RequestError } from '../ui/request.ts';
import { useSignIn } from '../ui/session.ts';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { notePreference, noteUsed, prefersPassword } from './linked-credential.ts';
import { signIn, signInAsUser } from './session.ts';

const ForgottenPassword = lazyPart(async () => (await import('./forgotten-password.tsx')).ForgottenPassword);

type Linked = {
  /** Signed in automatically; null shows the form. */
  readonly linked: string | null;
  readonly onLinked: () => void;
};

type Form = 'credential' | 'password' | 'forgotten';

export function SignIn({
  linked,
  onLinked,
  mailsPasswordLinks,
}: Linked & { readonly mailsPasswordLinks: boolean }): ReactNode {
  const [form, setForm] = useState<Form>(() => (linked === null && prefersPassword() ? 'password' : 'credential'));
  const [email, setEmail] = useState('');
  const showPassword = (): void => setForm('password');
  if (form === 'credential') return <CredentialSignIn linked={linked} onLinked={onLinked} onOther={showPassword} />;
  if (form === 'forgotten')
    return <ForgottenPassword email={email} isMailed={mailsPasswordLinks} onBack={showPassword} />;
  return (
    <PasswordSignIn
      email={email}
      onEmail={setEmail}
      onForgotten={() => setForm('forgotten')}
      onOther={() => setForm('credential')}
    />
  );
}

function CredentialSignIn({ linked, onLinked, onOther }: Linked & { readonly onOther: () => void }): ReactNode {
  const [credential, setCredential] = useState('');
  const { mutate, isPending, error } = useSignIn(signIn);
  const signInWith = useCallback(
    (given: string) =>
      mutate(
        { credential: given },
        {
          onSuccess: () => {
            noteUsed(given);
            notePreference(false);
          },
        },
      ),
    [mutate],
  );
  useEffect(() => {
    if (linked === null) return;
    onLinked();
    signInWith(linked);
  }, [linked, onLinked, signInWith]);
  return (
    <SignInFrame
      title="Partner portal"
      intro="Partners sign in with an access token (lmb_…), suppliers with a supplier key (lms_…). The operator issues both."
      isBusy={isPending}
      error={error}
      onSubmit={() => signInWith(credential.trim())}
    >
      <PasswordInput
        label="Access token or supplier key"
        description="Exchanged for a session and not stored in this browser."
        placeholder="lmb_… or lms_…"
        value={credential}
        onChange={(event) => setCredential(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        required
        autoFocus
      />
      <Other onClick={onOther}>Use an email address and a password</Other>
    </SignInFrame>
  );
}

function PasswordSignIn({
  email,
  onEmail,
  onForgotten,
  onOther,
}: {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onForgotten: () => void;
  readonly onOther: () => void;
}): ReactNode {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useSignIn(signInAsUser);
  const asksForCode = error instanceof RequestError && error.code === 'totp_required';
  const submit = (): void =>
    mutate(
      { email: email.trim(), password, ...(code === '' ? {} : { code: code.trim() }) },
      { onSuccess: () => notePreference(true) },
    );
  return (
    <SignInFrame
      title="Partner portal"
      intro="For users of partners and suppliers who have an invitation."
      isBusy={isPending}
      error={asksForCode ? null : error}
      onSubmit={submit}
    >
      <TextInput
        type="email"
        label="Email"
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
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
      <Other onClick={onForgotten}>Forgot your password?</Other>
      <Other onClick={onOther}>Use an access token or supplier key</Other>
    </SignInFrame>
  );
}

function Other({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }): ReactNode {
  return (
    <Anchor component="button" type="button" size="sm" ta="start" onClick={onClick}>
      {children}
    </Anchor>
  );
}
