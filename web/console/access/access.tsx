// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function AccessPage(): ReactNode {
  return <Page title="Access">Not here yet.</Page>;
}
