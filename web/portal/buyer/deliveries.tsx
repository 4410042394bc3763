// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function DeliveriesPage(): ReactNode {
  return <Page title="Deliveries">Not here yet.</Page>;
}
