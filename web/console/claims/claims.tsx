// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function ClaimsPage(): ReactNode {
  return <Page title="Claims">Not here yet.</Page>;
}
