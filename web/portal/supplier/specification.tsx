// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function SpecificationPage(): ReactNode {
  return <Page title="Specification">Not here yet.</Page>;
}
