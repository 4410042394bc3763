// Shows content only if the operator's role allows it, with a note where its absence would be confusing.
import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Permission, useConsoleSession } from './session.ts';

export function useMay(permission: Permission): boolean {
  return useConsoleSession().permissions.includes(permission);
}

/** Renders the children if the role has the permission, else a note. */
export function Allowed({
  to,
  otherwise,
  children,
}: {
  readonly to: Permission;
  /** What cannot be done, such as `issue invoices`; without it nothing is shown. */
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

/** Replaces a whole page that the role may not see. */
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
