// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function EndpointsPage(): ReactNode {
  return <Page title="Endpoints">Not here yet.</Page>;
}
