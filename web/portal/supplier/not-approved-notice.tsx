// Tells a supplier that may not post what that means for this page.
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Nothing for a supplier that is approved. */
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
        ? 'You can see everything here and prepare your integration. Until the operator approves the account, every lead is answered 403 supplier_not_approved, tests as well.'
        : 'You can see everything here. Every lead is answered 403 supplier_not_approved, tests as well. Ask the operator why.'}
    </Alert>
  );
}
