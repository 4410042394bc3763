// The monthly run of invoices.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { InvoiceRunEnd, InvoiceRunResult } from '../../../src/console/invoices.schema.ts';
import { createFollow } from '../../ui/follow.ts';
import { PageLink } from '../../ui/link.tsx';
import type { ConsoleApi } from '../console-api.ts';
import { DocumentLink } from './document-link.tsx';
import { MonthRun, type MonthRunOf } from './month-run.tsx';

const follow = createFollow<ConsoleApi>();
export const OUTCOMES = { due: 'would be issued', issued: 'issued', exists: 'existed already' } as const;

export function RunMonth({ months }: { readonly months: readonly string[] }): ReactNode {
  return <MonthRun months={months} of={INVOICES} />;
}

/** With a warning, before the document is issued, of what it would not show. */
export function PrintedName({ name, unprintable }: { readonly name: string; readonly unprintable: string }): ReactNode {
  if (unprintable === '') return name;
  return (
    <>
      {name}
      <Text size="sm">The PDF cannot show: {unprintable}</Text>
    </>
  );
}

const INVOICES: MonthRunOf<InvoiceRunResult, InvoiceRunEnd> = {
  begin: (input, onLine) => follow('POST /console/api/invoices/run', input, onLine),
  queryKey: 'invoices',
  document: 'invoice',
  owner: 'partner',
  intro:
    'Issues every partner’s invoice for a past month. Preview it first: a preview issues nothing. Existing invoices are not changed.',
  monthLabel: 'Month to invoice',
  nothing: 'No partner was charged or credited',
  made: ({ invoices }) => invoices,
  owners: ({ partners }) => partners,
  sums: ({ total, amountDue }, money) => `${money(total)} total, ${money(amountDue)} due`,
  warning: ({ total, amountDue }, money) => (
    <>
      <Text>
        {money(total)} total, of which {money(amountDue)} will be due. Partners see their invoices at once.
      </Text>
      <Text fw={650}>
        An issued invoice keeps its number. It can be voided while nothing is paid, but never deleted.
      </Text>
    </>
  ),
  columns: (money) => [
    {
      key: 'partner',
      title: 'Partner',
      cell: ({ partnerName, unprintable }) => <PrintedName name={partnerName} unprintable={unprintable} />,
    },
    {
      key: 'number',
      title: 'Invoice',
      cell: ({ number, outcome }) =>
        number === null ? (
          OUTCOMES[outcome]
        ) : (
          <>
            <PageLink to="/invoices" search={{ invoice: number }}>
              {number}
            </PageLink>{' '}
            {OUTCOMES[outcome]}
          </>
        ),
    },
    { key: 'charges', title: 'Charges', numeric: true, cell: ({ subtotal }) => money(subtotal) },
    { key: 'credits', title: 'Credits', numeric: true, cell: ({ credits }) => money(credits) },
    { key: 'total', title: 'Total', numeric: true, cell: ({ total }) => money(total) },
    { key: 'due', title: 'Due', numeric: true, cell: ({ amountDue }) => money(amountDue) },
    {
      key: 'document',
      title: 'Document',
      cell: ({ number }) => (number === null ? '—' : <DocumentLink number={number} />),
    },
  ],
  rowKey: ({ partner }) => partner,
};
