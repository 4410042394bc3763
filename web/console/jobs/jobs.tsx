// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function JobsPage(): ReactNode {
  return <Page title="Jobs">Not here yet.</Page>;
}
