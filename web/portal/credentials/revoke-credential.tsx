// The question before a token or key is revoked: what stops working, and whether it ends the session of whoever asks.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Credential } from '../../../src/portal/credentials.schema.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Time } from '../../ui/zone.tsx';

export function RevokeQuestion({
  one,
  credential,
  isLast,
  onRevoke,
  onClose,
}: {
  /** `token` */
  readonly one: string;
  /** Null while nothing is asked. */
  readonly credential: Credential | null;
  /** Whether no other one is active. */
  readonly isLast: boolean;
  readonly onRevoke: (credential: Credential) => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Confirm
      isOpen={credential !== null}
      title={`Revoke this ${one}?`}
      action={credential?.isThisSession === true ? 'Revoke it and sign me out' : `Revoke the ${one}`}
      isDangerous
      onConfirm={async () => (credential === null ? undefined : onRevoke(credential))}
      onClose={onClose}
    >
      {credential !== null && <Consequences one={one} credential={credential} isLast={isLast} />}
    </Confirm>
  );
}

function Consequences({
  one,
  credential,
  isLast,
}: {
  readonly one: string;
  readonly credential: Credential;
  readonly isLast: boolean;
}): ReactNode {
  const { label, last4, lastUsedAt, isThisSession } = credential;
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {label === null ? `The ${one}` : `The ${one} “${label}”`}, which ends in {last4}, was{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used on <Time at={lastUsedAt} />
          </>
        )}
        . Programs that use it and sessions that were opened with it are shut out within seconds. This cannot be taken
        back.
      </Text>
      {isThisSession && (
        <Text size="sm" fw={600}>
          You signed in with it, so you are signed out at once and need another {one} to come back.
        </Text>
      )}
      {isLast && (
        <Text size="sm" fw={600}>
          It is your only {one}: without it the API is closed to you until the operator gives you another one.
        </Text>
      )}
    </>
  );
}
