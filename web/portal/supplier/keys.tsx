// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function KeysPage(): ReactNode {
  return <Page title="Keys">Not here yet.</Page>;
}
