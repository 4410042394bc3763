// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function SubmissionsPage(): ReactNode {
  return <Page title="Submissions">Not here yet.</Page>;
}
