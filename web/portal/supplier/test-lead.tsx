// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function TestLeadPage(): ReactNode {
  return <Page title="Test Lead">Not here yet.</Page>;
}
