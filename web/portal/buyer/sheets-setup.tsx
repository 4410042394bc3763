// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function SheetsSetupPage(): ReactNode {
  return <Page title="Sheets Setup">Not here yet.</Page>;
}
