// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function LeadsPage(): ReactNode {
  return <Page title="Leads">Not here yet.</Page>;
}
