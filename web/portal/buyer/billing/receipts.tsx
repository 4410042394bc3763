// The receipts of a prepaid partner, each as a PDF to download or as a page.
import { Anchor, Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Receipt } from '../../../../sdk/typescript/client.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { notifyFailure } from '../../../ui/notify.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { Empty } from '../../../ui/states.tsx';
import { Time } from '../../../ui/zone.tsx';
import { download } from '../../portal-api.ts';

export function Receipts({
  receipts,
  currency,
}: {
  readonly receipts: readonly Receipt[];
  readonly currency: string;
}): ReactNode {
  return (
    <DataTable
      caption="Latest receipts"
      columns={columnsIn(currency)}
      rows={receipts}
      rowKey={({ receiptId }) => receiptId}
      empty={<Empty title="No receipts yet">A receipt follows some minutes after each payment.</Empty>}
    />
  );
}

function columnsIn(currency: string): readonly Column<Receipt>[] {
  return [
    { key: 'number', title: 'Number', cell: ({ number }) => <span style={{ whiteSpace: 'nowrap' }}>{number}</span> },
    { key: 'paid', title: 'Received', cell: ({ paidAt }) => <Time at={paidAt} kind="day" /> },
    { key: 'text', title: 'Reference', cell: ({ description }) => description },
    { key: 'amount', title: 'Amount', numeric: true, cell: ({ amount }) => formatMoney(amount, currency) },
    { key: 'document', title: 'Document', cell: (receipt) => <Documents receipt={receipt} /> },
  ];
}

function Documents({ receipt }: { readonly receipt: Receipt }): ReactNode {
  const { mutate, isPending } = useMutation({ mutationFn: saveReceipt, onError: notifyFailure });
  const { receiptId, number } = receipt;
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => {
          if (!isPending) mutate(receipt);
        }}
        aria-label={`Download ${number} as PDF`}
        aria-busy={isPending}
      >
        {isPending ? 'PDF …' : 'PDF'}
      </Button>
      <Anchor
        size="sm"
        href={`/portal/api/buyer/receipts/${receiptId}`}
        target="_blank"
        rel="noopener"
        aria-label={`Open ${number} as a page in a new tab`}
      >
        Page
      </Anchor>
    </Group>
  );
}

async function saveReceipt({ receiptId, number }: Receipt): Promise<void> {
  const file = await download('GET /portal/api/buyer/receipts/:receiptId', {
    params: { receiptId },
    headers: { accept: 'application/pdf' },
  });
  saveFile(file, `${number}.pdf`);
}
