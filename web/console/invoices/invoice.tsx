// The page of one invoice: amounts, documents, line items, payment, voiding.
import { Box, Button, Group, Text, Title } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { count, formatDate, formatMoney, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { RequestError } from '../../ui/request.ts';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import type { InvoiceDetail, InvoicePosting } from '../../../src/console/invoices.schema.ts';
import { monthName } from './months.ts';
import { request } from '../console-api.ts';
import { Allowed } from '../allowed.tsx';
import { PayInvoice, VoidInvoice } from './settle-invoice.tsx';

export function InvoicePageOf({ name }: { readonly name: string }): ReactNode {
  const query = useQuery({
    queryKey: ['invoices', 'one', name],
    queryFn: ({ signal }) => request('GET /console/api/invoices/:id', { params: { id: name }, signal }),
  });
  const invoice = query.data;
  const back = (
    <ButtonLink to="/invoices" variant="default">
      All invoices
    </ButtonLink>
  );
  if (invoice === undefined) {
    const isUnknown = query.error instanceof RequestError && query.error.status === 404;
    return (
      <Page title="Invoice" actions={back}>
        {isUnknown ? (
          <Empty title="Invoice not found">The address may be mistyped. Find the invoice in the list.</Empty>
        ) : query.isError ? (
          <Failure error={query.error} title="This could not be loaded" onRetry={() => void query.refetch()} />
        ) : (
          <Loading what="Loading the invoice" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={invoice.number}
      description={`${invoice.partnerName}, ${monthName(invoice.month)} in ${invoice.timeZone}`}
      actions={
        <>
          <Download invoice={invoice} form="pdf" />
          <Download invoice={invoice} form="html" />
          {back}
        </>
      }
    >
      <Amounts invoice={invoice} />
      {invoice.amountDue > 0 && (
        <Allowed to="money" otherwise="register payments">
          <PayInvoice invoice={invoice} />
        </Allowed>
      )}
      <Lines invoice={invoice} />
      {invoice.status !== 'void' && invoice.paid === 0 && (
        <Allowed to="money">
          <VoidInvoice invoice={invoice} />
        </Allowed>
      )}
    </Page>
  );
}

function Download({ invoice, form }: { readonly invoice: InvoiceDetail; readonly form: 'pdf' | 'html' }): ReactNode {
  return (
    <Button
      component="a"
      variant="default"
      href={`/console/api/invoices/${invoice.number}/document?form=${form}`}
      download={`${invoice.number}.${form}`}
      leftSection={<DownloadIcon aria-hidden="true" />}
    >
      {form.toUpperCase()}
    </Button>
  );
}

function Amounts({ invoice }: { readonly invoice: InvoiceDetail }): ReactNode {
  const { currency, status, partner, partnerName } = invoice;
  const money = (amount: number): string => formatMoney(amount, currency);
  return (
    <Section title="Summary">
      <Facts
        columns={3}
        facts={[
          ['Status', <Status key="status">{status}</Status>],
          ['Charges', money(invoice.subtotal)],
          ['Credits', money(invoice.credits)],
          ...(invoice.carriedIn === 0
            ? []
            : [['Carried over from an earlier invoice', money(invoice.carriedIn)] as const]),
          ...(invoice.carriedOut === 0
            ? []
            : [['Carried over to the next invoice', money(invoice.carriedOut)] as const]),
          ...(invoice.taxPercent === 0
            ? []
            : [
                ['Net', money(invoice.net)] as const,
                [`Tax (${formatNumber(invoice.taxPercent)} %)`, money(invoice.tax)] as const,
              ]),
          ['Total', money(invoice.total)],
          ['Paid from the balance', money(invoice.fromBalance)],
          ['Paid', money(invoice.paid)],
          ['Amount due', money(invoice.amountDue)],
          ['Issued', <Time key="issued" at={invoice.issuedAt} />],
          ['Due', invoice.total <= 0 ? 'Nothing is due' : <Time key="due" at={invoice.dueAt} />],
          ...(invoice.paidAt === null ? [] : [['Paid', <Time key="paid" at={invoice.paidAt} />] as const]),
          ...(invoice.voidedAt === null
            ? []
            : [
                ['Voided', <Time key="voided" at={invoice.voidedAt} />] as const,
                ['Reason for voiding', invoice.voidNote] as const,
              ]),
          [
            'Partner',
            <PageLink key="partner" to="/ledger" search={{ partner }}>
              Ledger of {partnerName}
            </PageLink>,
          ],
        ]}
      />
    </Section>
  );
}

type Item = InvoiceDetail['items'][number];

function Lines({ invoice }: { readonly invoice: InvoiceDetail }): ReactNode {
  const { currency, items, credited, creditCount, payments } = invoice;
  const money = (amount: number): string => formatMoney(amount, currency);
  const itemColumns: ReadonlyArray<Column<Item>> = [
    {
      key: 'day',
      title: 'Day',
      cell: ({ day }) =>
        day === 0 ? 'Before the month' : formatDate(`${invoice.month}-${String(day).padStart(2, '0')}`),
    },
    { key: 'what', title: 'Item', cell: ({ what }) => what },
    { key: 'quantity', title: 'Quantity', numeric: true, cell: ({ quantity }) => formatNumber(quantity) },
    { key: 'unit', title: 'Price', numeric: true, cell: ({ unit }) => money(unit) },
    {
      key: 'amount',
      title: 'Amount',
      numeric: true,
      cell: ({ unit, quantity }) => money((Math.round(unit * 100) * quantity) / 100),
    },
  ];
  return (
    <Section title="Line items">
      <DataTable
        caption="Charges by day"
        columns={itemColumns}
        rows={items}
        rowKey={({ day, what, unit }) => `${day} ${what} ${unit}`}
        empty={<Text c="dimmed">No charges, only credits.</Text>}
      />
      {credited.length > 0 && (
        <Postings title="Credits" postings={credited} money={money}>
          {creditCount > credited.length &&
            `The first ${formatNumber(credited.length)} of ${count(creditCount, 'credit')}; see the ledger for all.`}
        </Postings>
      )}
      {payments.length > 0 && <Postings title="Payments" postings={payments} money={money} />}
    </Section>
  );
}

function Postings({
  title,
  postings,
  money,
  children,
}: {
  readonly title: string;
  readonly postings: readonly InvoicePosting[];
  readonly money: (amount: number) => string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Box>
      <Group justify="space-between">
        <Title order={3}>{title}</Title>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </Group>
      <DataTable
        caption={title}
        columns={postingColumns(money)}
        rows={postings}
        rowKey={({ at, description }) => `${at} ${description}`}
        empty={null}
      />
    </Box>
  );
}

function postingColumns(money: (amount: number) => string): ReadonlyArray<Column<InvoicePosting>> {
  return [
    { key: 'at', title: 'Time', cell: ({ at }) => <Time at={at} kind="short" /> },
    { key: 'what', title: 'Description', cell: ({ description }) => description },
    { key: 'amount', title: 'Amount', numeric: true, cell: ({ amount }) => money(amount) },
  ];
}
