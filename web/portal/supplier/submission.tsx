// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function SubmissionPage(): ReactNode {
  return <Page title="Submission">Not here yet.</Page>;
}
