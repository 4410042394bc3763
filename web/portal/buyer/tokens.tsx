// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function TokensPage(): ReactNode {
  return <Page title="Tokens">Not here yet.</Page>;
}
