// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function OverviewPage(): ReactNode {
  return <Page title="Overview">Not here yet.</Page>;
}
