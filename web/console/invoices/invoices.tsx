// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function InvoicesPage(): ReactNode {
  return <Page title="Invoices">Not here yet.</Page>;
}
