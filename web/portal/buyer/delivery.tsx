// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function DeliveryPage(): ReactNode {
  return <Page title="Delivery">Not here yet.</Page>;
}
