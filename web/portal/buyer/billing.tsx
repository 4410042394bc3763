// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function BillingPage(): ReactNode {
  return <Page title="Billing">Not here yet.</Page>;
}
