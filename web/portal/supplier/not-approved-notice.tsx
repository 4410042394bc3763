// The notice for a supplier that is not approved and cannot post leads.
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Renders nothing for an approved supplier. */
export function NotApprovedNotice({ status }: { readonly status: string }): ReactNode {
  if (status === 'approved') return null;
  const isPending = status === 'pending';
  return (
    <Alert
      variant="outline"
      color="yellow"
      title={isPending ? 'Your account is not approved yet' : 'Your account is suspended'}
    >
      {isPending
        ? 'You can see everything here and prepare your integration. Until the operator approves your account, every lead gets 403 supplier_not_approved, including tests.'
        : 'You can see everything here, but every lead gets 403 supplier_not_approved, including tests. Contact the operator.'}
    </Alert>
  );
}
