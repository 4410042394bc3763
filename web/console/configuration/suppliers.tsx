// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function SuppliersPage(): ReactNode {
  return <Page title="Suppliers">Not here yet.</Page>;
}
