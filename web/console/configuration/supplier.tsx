// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function NewSupplierPage(): ReactNode {
  return <Page title="New Supplier">Not here yet.</Page>;
}

export function SupplierPage(): ReactNode {
  return <Page title="Supplier">Not here yet.</Page>;
}
