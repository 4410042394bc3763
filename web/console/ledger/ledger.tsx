// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function LedgerPage(): ReactNode {
  return <Page title="Ledger">Not here yet.</Page>;
}
