// The signing secret of a supplier or partner, on its page in the console.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import { SigningSecret } from '../../ui/signing-secret.tsx';
import { type Owner, request } from '../console-api.ts';

export function OwnerSecret({ owner: { kind, key } }: { readonly owner: Owner }): ReactNode {
  const params = { ownerKey: key };
  return (
    <Section title="Signing secret">
      <Text size="sm" c="dimmed">
        The receiver verifies messages with it. The audit log records when you show it.
      </Text>
      <SigningSecret
        read={() => request(`POST /console/api/${kind}/:ownerKey/secret/show`, { params })}
        replace={() => request(`POST /console/api/${kind}/:ownerKey/secret/rotate`, { params })}
      />
    </Section>
  );
}
