// The secret that signs what is sent to a supplier or partner: shown on request, and exchanged.
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Section } from '../../ui/facts.tsx';
import { tell } from '../../ui/notify.tsx';
import { send } from '../../ui/request.ts';
import { Failure } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';

type Secrets = {
  readonly secret: string;
  readonly previous: { readonly secret: string; readonly validUntil: string } | null;
};

/** `owner` is such as `partners/summit`. */
export function SigningSecret({ owner }: { readonly owner: string }): ReactNode {
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const show = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      setSecrets(await send<Secrets>(`/console/api/${owner}/secret/show`, { method: 'POST' }));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title="Signing secret"
      actions={
        <Group gap="xs">
          {secrets === null ? (
            <Button variant="default" onClick={() => void show()} loading={isBusy}>
              Show
            </Button>
          ) : (
            <Button variant="default" onClick={() => setSecrets(null)}>
              Hide
            </Button>
          )}
          <Button variant="default" onClick={() => setRotating(true)}>
            Replace
          </Button>
        </Group>
      }
    >
      <Text size="sm" c="dimmed">
        With it the receiver checks that a message is from this marketplace. That you looked at it is put on record.
      </Text>
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
        isOpen={isRotating}
        title="Replace the signing secret?"
        action="Replace the secret"
        isDangerous
        onClose={() => setRotating(false)}
        onConfirm={async () => {
          await send(`/console/api/${owner}/secret/rotate`, { method: 'POST' });
          tell('The secret is replaced. The one before it signs beside it for 24 hours.');
          await show();
        }}
      >
        <Text size="sm">
          For 24 hours messages carry a signature of each, so the receiver can change over. A second replacement within
          that time ends the oldest secret at once.
        </Text>
      </Confirm>
    </Section>
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
