// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function LeadPage(): ReactNode {
  return <Page title="Lead">Not here yet.</Page>;
}
