// The signing secret of a partner or supplier: shown on request with a copy button, and rotated after a confirmation.
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { SigningSecret as Secrets } from '../../src/credentials/signing-secret.schema.ts';
import { Confirm } from './confirm.tsx';
import { CopyText } from './copy.tsx';
import { notify } from './notify.tsx';
import { Failure } from './states.tsx';
import { Time } from './zone.tsx';

export function SigningSecret({
  read,
  replace,
  onReplaced,
}: {
  readonly read: () => Promise<Secrets>;
  readonly replace: () => Promise<unknown>;
  readonly onReplaced?: () => void;
}): ReactNode {
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isReplacing, setReplacing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const show = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      setSecrets(await read());
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {secrets === null ? (
          <Button variant="default" onClick={() => void show()} loading={isBusy}>
            Show secret
          </Button>
        ) : (
          <Button variant="default" onClick={() => setSecrets(null)}>
            Hide secret
          </Button>
        )}
        <Button variant="default" onClick={() => setReplacing(true)}>
          Rotate secret
        </Button>
      </Group>
      {error !== null && <Failure error={error} />}
      {secrets !== null && (
        <Stack gap="sm" role="status">
          <Secret text={secrets.secret} what="the secret" />
          {secrets.previous !== null && (
            <>
              <Text size="sm">
                Until <Time at={secrets.previous.validUntil} /> messages are also signed with the previous secret:
              </Text>
              <Secret text={secrets.previous.secret} what="the previous secret" />
            </>
          )}
        </Stack>
      )}
      <Confirm
        isOpen={isReplacing}
        title="Rotate the signing secret?"
        action="Rotate secret"
        isDangerous
        onClose={() => setReplacing(false)}
        onConfirm={async () => {
          await replace();
          notify('Secret rotated. Messages are also signed with the previous secret for 24 hours.');
          onReplaced?.();
          await show();
        }}
      >
        <Text size="sm">
          From now on every message is signed with a new secret. For 24 hours each message has a second signature with
          the current secret, so that the receiver can switch; after that it rejects messages until it has the new one.
        </Text>
        <Text size="sm">
          Rotating again within the 24 hours ends the oldest secret at once. Do that only if a secret leaked.
        </Text>
      </Confirm>
    </Stack>
  );
}

function Secret({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  return (
    <Group wrap="nowrap" gap="xs">
      <Code p="xs" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <CopyText text={text} what={what} />
    </Group>
  );
}
