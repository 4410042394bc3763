// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function ErasurePage(): ReactNode {
  return <Page title="Erasure">Not here yet.</Page>;
}
