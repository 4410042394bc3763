// The roles of a partner's or supplier's user as checkboxes, and as words.
import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

import type { NewUser } from '../../../src/scopes/users.schema.ts';

export type UserKind = 'buyer' | 'supplier';
export type Right = NewUser['roles'][number];

const CHOICES = {
  buyer: [
    { role: 'claims', label: 'Claims', description: 'File and withdraw returns and disputes.' },
    { role: 'money', label: 'Money', description: 'See the balance, the ledger, invoices and receipts.' },
    {
      role: 'settings',
      label: 'Settings',
      description: 'Change channels, lists and notices; manage tokens and users.',
    },
  ],
  supplier: [
    { role: 'money', label: 'Money', description: 'See earnings and statements.' },
    { role: 'settings', label: 'Settings', description: 'Post test leads, change notices; manage keys and users.' },
  ],
} as const;

/** All users may view leads and reports. */
export function RoleFields({
  kind,
  roles,
  onChange,
}: {
  readonly kind: UserKind;
  readonly roles: readonly Right[];
  readonly onChange: (roles: readonly Right[]) => void;
}): ReactNode {
  return (
    <Checkbox.Group
      label="Permissions"
      description="Every user sees leads and reports."
      value={[...roles]}
      onChange={onChange}
    >
      <Stack gap="xs" mt="xs">
        {CHOICES[kind].map(({ role, label, description }) => (
          <Checkbox key={role} value={role} label={label} description={description} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

const WORDS: Readonly<Record<Right, string>> = {
  view: 'view',
  claims: 'file claims',
  money: 'see money',
  settings: 'change settings',
};

export function rolesText(roles: readonly Right[]): string {
  return roles.map((role) => WORDS[role]).join(', ');
}
