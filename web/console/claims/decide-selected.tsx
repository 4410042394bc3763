// The buttons that approve or deny the selected open claims together.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

import type { QueuedClaim } from '../../../src/console/claims.schema.ts';
import type { SelectedRows } from '../../ui/data-table.tsx';
import { useMay } from '../allowed.tsx';

/** What the dialog is opened with: the claims as they were then, because a decided claim leaves the list and the selection. */
export type Deciding = {
  readonly decision: 'approve' | 'deny';
  /** Open ones. */
  readonly claims: readonly QueuedClaim[];
  /** Selected claims that are closed already. */
  readonly closed: number;
  /** Ends the selection. */
  readonly clear: () => void;
};

export function DecideSelected({
  rows,
  clear,
  onOpen,
}: SelectedRows<QueuedClaim> & { readonly onOpen: (deciding: Deciding) => void }): ReactNode {
  const may = useMay('operate');
  const claims = rows.filter(({ status }) => status === 'submitted' || status === 'under_review');
  if (!may || claims.length === 0) return null;
  const open = (decision: Deciding['decision']): void =>
    onOpen({ decision, claims, closed: rows.length - claims.length, clear });
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => open('approve')}>
        Approve selected
      </Button>
      <Button size="compact-sm" variant="outline" color="red.9" c="var(--lm-bad)" onClick={() => open('deny')}>
        Deny selected
      </Button>
    </>
  );
}
