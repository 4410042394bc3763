// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function ClaimPage(): ReactNode {
  return <Page title="Claim">Not here yet.</Page>;
}
