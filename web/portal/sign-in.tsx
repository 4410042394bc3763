// Signing in to the portal: a token or key is pasted once and exchanged for a session.
import { PasswordInput } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';

import type { Credential, PortalSession } from '../../src/portal/session.schema.ts';
import { useSignIn } from '../ui/session.ts';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { noteUsed } from './linked-credential.ts';
import { request } from './portal-api.ts';

/** A token or key for a session. */
export function signIn(body: Credential): Promise<PortalSession> {
  return request('POST /portal/api/session', { body });
}

export function SignIn({
  linked,
  onLinked,
}: {
  /** Signs in by itself; null for the form. */
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
      intro="For partners, with an access token (lmb_…), and for suppliers, with a supplier key (lms_…). The operator gives them out."
      isBusy={isPending}
      error={error}
      onSubmit={() => signInWith(credential.trim())}
    >
      <PasswordInput
        label="Access token or supplier key"
        description="It is exchanged for a session and is not kept in this browser."
        placeholder="lmb_… or lms_…"
        value={credential}
        onChange={(event) => setCredential(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        required
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': 'Show what was typed', tabIndex: 0 }}
      />
    </SignInFrame>
  );
}
