// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function NewOfferPage(): ReactNode {
  return <Page title="New Offer">Not here yet.</Page>;
}

export function OfferPage(): ReactNode {
  return <Page title="Offer">Not here yet.</Page>;
}
