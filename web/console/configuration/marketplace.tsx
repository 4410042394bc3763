// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function MarketplacePage(): ReactNode {
  return <Page title="Marketplace">Not here yet.</Page>;
}
