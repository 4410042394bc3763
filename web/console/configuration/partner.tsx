// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function NewPartnerPage(): ReactNode {
  return <Page title="New Partner">Not here yet.</Page>;
}

export function PartnerPage(): ReactNode {
  return <Page title="Partner">Not here yet.</Page>;
}
