// What the role of whoever uses the console allows: the rest is left out, and where something would be missed it is said why.
import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Permission, useConsoleSession } from './session.ts';

export function useMay(permission: Permission): boolean {
  return useConsoleSession().permissions.includes(permission);
}

/** In the place of what the role does not allow. */
export function Allowed({
  to,
  otherwise,
  children,
}: {
  readonly to: Permission;
  /** What cannot be done, as `issue invoices`; nothing is shown without it. */
  readonly otherwise?: string;
  readonly children: ReactNode;
}): ReactNode {
  const may = useMay(to);
  if (may) return children;
  return otherwise === undefined ? null : <RoleNote cannot={otherwise} />;
}

function RoleNote({ cannot }: { readonly cannot: string }): ReactNode {
  const { role } = useConsoleSession();
  return (
    <Text size="sm" c="dimmed">
      With the role {role} you cannot {cannot}. An administrator can.
    </Text>
  );
}

/** In the place of a whole page. */
export function NotYours({ what }: { readonly what: string }): ReactNode {
  const { role } = useConsoleSession();
  return (
    <Alert color="gray" variant="outline" title="Not part of your role">
      <Text size="sm">
        {what} is open to administrators only. Your role is {role}; an administrator can change it.
      </Text>
    </Alert>
  );
}
