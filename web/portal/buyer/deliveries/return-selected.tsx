// The button that returns the selected deliveries together; its dialog is loaded when it opens.
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { Delivery } from '../../../../sdk/typescript/client.ts';
import type { SelectedRows } from '../../../ui/data-table.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const ReturnsDialog = lazyPart(
  async () => (await import('../claims/returns-dialog.tsx')).ReturnsDialog,
  'Loading the returns',
);

export function ReturnSelected({ rows, clear }: SelectedRows<Delivery>): ReactNode {
  // As they were when the dialog opened: a row that leaves the list does not leave the dialog.
  const [opened, setOpened] = useState<readonly Delivery[] | null>(null);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(rows)}>
        Return selected
      </Button>
      {opened !== null && <ReturnsDialog deliveries={opened} onFiled={clear} onClose={() => setOpened(null)} />}
    </>
  );
}
