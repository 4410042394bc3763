// The password of a sign-in, and the one-time code once the service asks for it.
import { PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

export function PasswordFields({
  password,
  onPassword,
  code,
  onCode,
  asksForCode,
}: {
  readonly password: string;
  readonly onPassword: (password: string) => void;
  readonly code: string;
  readonly onCode: (code: string) => void;
  readonly asksForCode: boolean;
}): ReactNode {
  return (
    <>
      <PasswordInput
        label="Password"
        value={password}
        onChange={(event) => onPassword(event.currentTarget.value)}
        autoComplete="current-password"
        required
      />
      {/* The field stays, also after a wrong code. */}
      {(asksForCode || code !== '') && (
        <TextInput
          label="One-time code"
          description="Six digits from your authenticator"
          value={code}
          onChange={(event) => onCode(event.currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
        />
      )}
    </>
  );
}
