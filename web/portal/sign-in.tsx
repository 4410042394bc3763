// Signing in to the portal: a token or key is pasted once and exchanged for a session.
import { PasswordInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

import { takeFragment, useSignIn } from '../ui/session.ts';
import { SignInFrame } from '../ui/sign-in-frame.tsx';

const fragment = takeFragment();

export function SignIn({ isDemo }: { readonly isDemo: boolean }): ReactNode {
  const [credential, setCredential] = useState('');
  const { mutate, isPending, error } = useSignIn('/portal');
  useEffect(() => {
    // The demo's printed links. Elsewhere a link must not be able to sign anybody in as somebody else.
    const given = fragment.get('token') ?? fragment.get('key');
    if (isDemo && given !== null) mutate({ credential: given });
  }, [isDemo, mutate]);
  return (
    <SignInFrame
      title="Partner portal"
      intro="For partners, with an access token (lmb_…), and for suppliers, with a supplier key (lms_…). The operator gives them out."
      isBusy={isPending}
      error={error}
      onSubmit={() => mutate({ credential: credential.trim() })}
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
