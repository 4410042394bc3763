// The secret that signs what is sent to a supplier or partner, on its page in the console.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { send } from '../../ui/request.ts';
import { type Secrets, SigningSecret } from '../../ui/signing-secret.tsx';

/** `owner` is such as `partners/summit`. */
export function OwnerSecret({ owner }: { readonly owner: string }): ReactNode {
  const path = `/console/api/${owner}/secret`;
  return (
    <Section title="Signing secret">
      <Text size="sm" c="dimmed">
        With it the receiver checks that a message is from this marketplace. That you looked at it is put on record.
      </Text>
      <SigningSecret
        read={() => send<Secrets>(`${path}/show`, { method: 'POST' })}
        replace={() => send(`${path}/rotate`, { method: 'POST' })}
      />
    </Section>
  );
}
