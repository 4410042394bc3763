// The portal's sign-in page: exchanges a token or key for a session.
import { PasswordInput } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';

import { useSignIn } from '../ui/session.ts';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { noteUsed } from './linked-credential.ts';
import { signIn } from './session.ts';

export function SignIn({
  linked,
  onLinked,
}: {
  /** Signed in automatically; null shows the form. */
  readonly linked: string | null;
  readonly onLinked: () => void;
}): ReactNode {
  const [credential, setCredential] = useState('');
  const { mutate, isPending, error } = useSignIn(signIn);
  const signInWith = useCallback(
    (given: string) => mutate({ credential: given }, { onSuccess: () => noteUsed(given) }),
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
        visibilityToggleButtonProps={{ 'aria-label': 'Show text', tabIndex: 0 }}
      />
    </SignInFrame>
  );
}
