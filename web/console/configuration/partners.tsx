// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function PartnersPage(): ReactNode {
  return <Page title="Partners">Not here yet.</Page>;
}
