// The partner's invoices, each as a PDF to download or as a page.
import { Anchor, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Invoice } from '../../../../sdk/typescript/client.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { count, formatMoney } from '../../../ui/formats.ts';
import { notifyFailure } from '../../../ui/notify.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { download } from '../../portal-api.ts';

export function Invoices({
  invoices,
  currency,
  shown,
}: {
  readonly invoices: readonly Invoice[];
  readonly currency: string;
  /** The id of the invoice to highlight, from the URL; '' for none. */
  readonly shown: string;
}): ReactNode {
  const money = (amount: number): string => formatMoney(amount, currency);
  const due = invoices.filter(({ amountDue }) => amountDue > 0);
  const overdue = due.filter(({ status }) => status === 'overdue');
  const sum = (some: readonly Invoice[]): number =>
    Math.round(some.reduce((all, one) => all + one.amountDue, 0) * 100) / 100;
  return (
    <>
      {due.length > 0 && (
        <Text size="sm">
          {money(sum(due))} are due on {count(due.length, 'invoice')}
          {overdue.length > 0 && `, ${money(sum(overdue))} of them overdue`}. State the invoice number with your
          payment.
        </Text>
      )}
      <DataTable
        caption="All invoices"
        columns={columnsIn(currency, { hasTax: invoices.some(({ taxPercent }) => taxPercent > 0) })}
        rows={invoices}
        rowKey={({ invoiceId }) => invoiceId}
        isHighlighted={({ invoiceId }) => invoiceId === shown}
        empty={<Empty title="No invoices yet">The first invoice is issued after the month of your first charge.</Empty>}
      />
    </>
  );
}

function columnsIn(currency: string, { hasTax }: { readonly hasTax: boolean }): readonly Column<Invoice>[] {
  const money = (amount: number): string => formatMoney(amount, currency);
  return [
    {
      key: 'number',
      title: 'Number',
      cell: (invoice) => (
        <Anchor
          size="sm"
          href={documentPath(invoice)}
          target="_blank"
          rel="noopener"
          style={{ whiteSpace: 'nowrap' }}
          aria-label={`Open ${invoice.number} as a page in a new tab`}
        >
          {invoice.number}
        </Anchor>
      ),
    },
    {
      key: 'period',
      title: 'Period',
      cell: ({ periodStart, periodEnd }) => <Period from={periodStart} until={periodEnd} />,
    },
    { key: 'status', title: 'Status', cell: ({ status }) => <Status>{status}</Status> },
    { key: 'charges', title: 'Charges', numeric: true, cell: ({ subtotal }) => money(subtotal) },
    { key: 'credits', title: 'Credits', numeric: true, cell: ({ credits }) => money(credits) },
    {
      key: 'carried',
      title: 'Carried over',
      numeric: true,
      cell: ({ carriedIn, carriedOut }) => money(carriedOut - carriedIn),
    },
    ...(hasTax
      ? [
          { key: 'net', title: 'Net', numeric: true, cell: ({ net }: Invoice) => money(net) },
          { key: 'tax', title: 'Tax', numeric: true, cell: ({ tax }: Invoice) => money(tax) },
        ]
      : []),
    { key: 'total', title: 'Total', numeric: true, cell: ({ total }) => money(total) },
    { key: 'due', title: 'Amount due', numeric: true, cell: ({ amountDue }) => money(amountDue) },
    {
      key: 'dueAt',
      title: 'Due or paid',
      cell: ({ status, total, dueAt, paidAt }) =>
        status === 'void' ? (
          '—'
        ) : total <= 0 ? (
          'nothing due'
        ) : paidAt === null ? (
          <>
            due <Time at={dueAt} kind="day" />
          </>
        ) : (
          <>
            paid <Time at={paidAt} kind="day" />
          </>
        ),
    },
    { key: 'document', title: 'Document', cell: (invoice) => <Documents invoice={invoice} /> },
  ];
}

/** `until` is the first instant of the next month. */
function Period({ from, until }: { readonly from: string; readonly until: string }): ReactNode {
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <Time at={from} kind="day" /> to <Time at={new Date(Date.parse(until) - 1).toISOString()} kind="day" />
    </span>
  );
}

function Documents({ invoice }: { readonly invoice: Invoice }): ReactNode {
  const { mutate, isPending } = useMutation({ mutationFn: saveInvoice, onError: notifyFailure });
  return (
    <Button
      size="compact-xs"
      variant="default"
      onClick={() => {
        if (!isPending) mutate(invoice);
      }}
      aria-label={`Download ${invoice.number} as PDF`}
      aria-busy={isPending}
    >
      {isPending ? 'PDF …' : 'PDF'}
    </Button>
  );
}

type Numbered = { readonly invoiceId: string; readonly number: string };

/** Shows the HTML page in a browser, whose Accept header asks for HTML. */
function documentPath({ invoiceId }: Pick<Numbered, 'invoiceId'>): string {
  return `/portal/api/v1/buyer/billing/invoices/${invoiceId}`;
}

async function saveInvoice({ invoiceId, number }: Numbered): Promise<void> {
  const file = await download('GET /portal/api/v1/buyer/billing/invoices/:invoiceId', {
    params: { invoiceId },
    headers: { accept: 'application/pdf' },
  });
  saveFile(file, `${number}.pdf`);
}
