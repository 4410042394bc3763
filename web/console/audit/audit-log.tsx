// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function AuditLogPage(): ReactNode {
  return <Page title="Audit Log">Not here yet.</Page>;
}
