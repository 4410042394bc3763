// The secret that signs messages to a partner or supplier: shown on request with a button to copy it, and replaced after a question.
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
            Show the secret
          </Button>
        ) : (
          <Button variant="default" onClick={() => setSecrets(null)}>
            Hide the secret
          </Button>
        )}
        <Button variant="default" onClick={() => setReplacing(true)}>
          Replace the secret
        </Button>
      </Group>
      {error !== null && <Failure error={error} />}
      {secrets !== null && (
        <Stack gap="sm" role="status">
          <Secret text={secrets.secret} what="the secret" />
          {secrets.previous !== null && (
            <>
              <Text size="sm">
                Until <Time at={secrets.previous.validUntil} /> the one before it signs as well:
              </Text>
              <Secret text={secrets.previous.secret} what="the previous secret" />
            </>
          )}
        </Stack>
      )}
      <Confirm
        isOpen={isReplacing}
        title="Replace the signing secret?"
        action="Replace it"
        isDangerous
        onClose={() => setReplacing(false)}
        onConfirm={async () => {
          await replace();
          notify('The secret is replaced. The one before it signs beside it for 24 hours.');
          onReplaced?.();
          await show();
        }}
      >
        <Text size="sm">
          A new secret signs every message from now on. For 24 hours each message carries a second signature by the
          present secret, so the receiver can change over; after that it refuses messages until it has the new one.
        </Text>
        <Text size="sm">
          A second replacement within the 24 hours ends the oldest secret at once. Do that only for one that leaked.
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
