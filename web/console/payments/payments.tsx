// Imports the payments of a bank's CSV file: a preview of every line, then posting after a confirmation.
import { Button, FileInput, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { ImportedLine, ImportEnd, ImportPayments, PaymentFate } from '../../../src/console/payments.schema.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { createFollow } from '../../ui/follow.ts';
import { count, formatMoney, formatNumber } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Allowed } from '../allowed.tsx';
import type { ConsoleApi } from '../console-api.ts';
import { useConsoleSession } from '../session.ts';

const follow = createFollow<ConsoleApi>();

/** More would slow the page down; the counts are of all lines. */
const LINES_SHOWN = 1000;
const FILE_BYTES_MAX = 5_000_000;
const DATE_ORDERS = ['day-first', 'month-first'] as const;

type Run = {
  readonly isDry: boolean;
  readonly isBusy: boolean;
  readonly read: number;
  readonly lines: readonly ImportedLine[];
  readonly end: ImportEnd | null;
  readonly error: unknown;
};

export function PaymentsPage(): ReactNode {
  return (
    <Page title="Payments" description="Posts the payments of a bank’s CSV file to the invoices that they name.">
      <Allowed to="money" otherwise="import payments">
        <ImportSection />
      </Allowed>
    </Page>
  );
}

function ImportSection(): ReactNode {
  const { currency } = useConsoleSession();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [columns, setColumns] = useState('');
  const [dates, setDates] = useState<ChosenOrder>('');
  const [run, setRun] = useState<Run | null>(null);
  const [isAsking, setAsking] = useState(false);
  const isTooLarge = file !== null && file.size > FILE_BYTES_MAX;
  const begin = async (isDry: boolean): Promise<void> => {
    if (file === null || isTooLarge) return;
    const fresh: Run = { isDry, isBusy: true, read: 0, lines: [], end: null, error: null };
    setRun(fresh);
    const change = (part: (before: Run) => Partial<Run>): void =>
      setRun((before) => ({ ...(before ?? fresh), ...part(before ?? fresh) }));
    try {
      const named = columns.trim() === '' ? {} : { columns: columns.trim() };
      const order = dates === '' ? {} : { dates };
      const body = { text: await file.text(), ...named, ...order, dryRun: isDry };
      await follow('POST /console/api/payments/import', body, (line) => {
        if (line.kind === 'end') change(() => ({ end: line }));
        else
          change(({ lines, read }) => ({
            read: read + 1,
            lines: lines.length < LINES_SHOWN ? [...lines, line] : lines,
          }));
      });
    } catch (error) {
      change(() => ({ error }));
    } finally {
      change(() => ({ isBusy: false }));
      if (!isDry) void queries.invalidateQueries({ queryKey: ['invoices'] });
    }
  };
  const isBusy = run?.isBusy === true;
  const seen = run?.isDry === true ? run.end : null;
  const toPost = seen === null ? 0 : seen.paid + seen.differs;
  return (
    <Section title="Import from a bank">
      <Text size="sm" c="dimmed">
        A CSV file with a header, in UTF-8. An invoice number in the text, such as INV-2026-000042, says what a payment
        is for. A payment is posted once, also if another file has it again.
      </Text>
      <Group align="flex-start">
        <FileInput
          label="File"
          description="At most 5 MB; larger files on the command line."
          placeholder="Choose a CSV file"
          accept=".csv,text/csv,text/plain"
          value={file}
          disabled={isBusy}
          error={isTooLarge ? 'This file is too large. Use: leadmarket payments import FILE' : null}
          onChange={(chosen) => {
            setFile(chosen);
            setRun(null);
          }}
          clearable
          clearButtonProps={{ 'aria-label': 'Remove the file' }}
          miw={240}
        />
        <TextInput
          label="Columns"
          description="Only if they are not found by their names."
          placeholder="date=Day,amount=Value,direction=D/C"
          autoComplete="off"
          value={columns}
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            setColumns(currentTarget.value);
            setRun(null);
          }}
          miw={280}
        />
        <DateOrder
          value={dates}
          isDisabled={isBusy}
          onChange={(chosen) => {
            setDates(chosen);
            setRun(null);
          }}
        />
      </Group>
      <Group>
        <Button
          variant="default"
          onClick={() => void begin(true)}
          loading={isBusy && run.isDry}
          disabled={isBusy || file === null || isTooLarge}
        >
          Preview
        </Button>
        {toPost > 0 && (
          <Button onClick={() => setAsking(true)} disabled={isBusy}>
            Post {count(toPost, 'payment')} …
          </Button>
        )}
      </Group>
      {run !== null && <RunState run={run} currency={currency} />}
      <Confirm
        isOpen={isAsking}
        title={`Post ${count(toPost, 'payment')}?`}
        action={`Post ${count(toPost, 'payment')}`}
        onConfirm={() => {
          void begin(false);
          return Promise.resolve();
        }}
        onClose={() => setAsking(false)}
      >
        <Text>
          {formatMoney(seen?.posted ?? 0, currency)} in total
          {(seen?.differs ?? 0) > 0 &&
            `, ${count(seen?.differs ?? 0, 'payment')} of them with another amount than was due`}
          . A posted payment cannot be taken back; an adjustment corrects it.
        </Text>
      </Confirm>
    </Section>
  );
}

type ChosenOrder = NonNullable<ImportPayments['dates']> | '';

function DateOrder({
  value,
  isDisabled,
  onChange,
}: {
  readonly value: ChosenOrder;
  readonly isDisabled: boolean;
  readonly onChange: (chosen: ChosenOrder) => void;
}): ReactNode {
  return (
    <NativeSelect
      label="Dates such as 03/04/2026"
      description="Only if no date of the file shows it."
      value={value}
      disabled={isDisabled}
      data={[
        { value: '', label: 'As the file shows' },
        { value: 'day-first', label: 'Day first' },
        { value: 'month-first', label: 'Month first' },
      ]}
      onChange={({ currentTarget }) => onChange(DATE_ORDERS.find((order) => order === currentTarget.value) ?? '')}
    />
  );
}

function RunState({ run, currency }: { readonly run: Run; readonly currency: string }): ReactNode {
  const { isDry, isBusy, read, lines, end, error } = run;
  return (
    <Stack gap="sm">
      <Stack role="status" gap="xs">
        {isBusy && (
          <Text size="sm">
            {isDry ? 'Previewing' : 'Posting'}: {count(read, 'line')} read …
          </Text>
        )}
        {end !== null && <Text fw={650}>{endWords(end, { isDry, currency })}</Text>}
      </Stack>
      {error !== null && <Failure error={error} title={isDry ? 'The preview failed' : 'The import failed'} />}
      {error !== null && !isDry && (
        <Text size="sm">What was posted so far remains. Preview the file again: posted payments are known.</Text>
      )}
      {end !== null && end.lines > lines.length && (
        <Text size="sm">The first {formatNumber(lines.length)} lines are shown.</Text>
      )}
      {lines.length > 0 && (
        <DataTable
          caption={isDry ? 'Preview of the import' : 'Result of the import'}
          columns={columnsFor(currency)}
          rows={lines}
          rowKey={({ line }) => String(line)}
          empty={null}
        />
      )}
    </Stack>
  );
}

function endWords(
  { isWhole, lines, paid, differs, known, outgoing, faulty, posted }: ImportEnd,
  { isDry, currency }: { readonly isDry: boolean; readonly currency: string },
): string {
  if (!isWhole) return 'The service stopped during the import. Preview the file again to see what is left.';
  const left = lines - paid - differs - known - outgoing - faulty;
  const sum = `${count(paid + differs, 'payment')} ${isDry ? 'would be posted' : 'posted'}: ${formatMoney(posted, currency)}`;
  return [
    `${count(lines, 'line')}. ${sum}`,
    `${formatNumber(known)} known already`,
    `${formatNumber(left)} to look at`,
    `${formatNumber(outgoing)} not incoming`,
    `${count(faulty, 'line')} with errors.`,
  ].join(', ');
}

const FATES: Readonly<Record<PaymentFate, readonly [tone: Tone, words: string]>> = {
  paid: ['good', 'pays the invoice'],
  differs: ['warn', 'another amount was due'],
  known: ['idle', 'known already'],
  similar: ['warn', 'like a posted payment'],
  no_number: ['warn', 'names no invoice'],
  several_numbers: ['warn', 'names several invoices'],
  no_such_invoice: ['warn', 'there is no such invoice'],
  invoice_void: ['warn', 'the invoice is void'],
  invoice_paid: ['warn', 'nothing was due'],
  outgoing: ['idle', 'not incoming'],
  not_booked: ['warn', 'not booked'],
  error: ['bad', 'has errors'],
};

function columnsFor(currency: string): ReadonlyArray<Column<ImportedLine>> {
  return [
    { key: 'line', title: 'Line', numeric: true, cell: ({ line }) => formatNumber(line) },
    {
      key: 'fate',
      title: 'Result',
      cell: ({ fate, errors }) => (
        <>
          <Status tone={FATES[fate][0]}>{FATES[fate][1]}</Status>
          {errors.map(({ column, message }) => (
            <Text key={`${column} ${message}`} size="sm">
              Cell {column} {message}
            </Text>
          ))}
        </>
      ),
    },
    {
      key: 'invoice',
      title: 'Invoice',
      cell: ({ invoice, partner }) =>
        invoice === null ? (
          '—'
        ) : partner === null ? (
          invoice
        ) : (
          <>
            <PageLink to="/invoices" search={{ invoice }}>
              {invoice}
            </PageLink>{' '}
            {partner}
          </>
        ),
    },
    {
      key: 'amount',
      title: 'Amount',
      numeric: true,
      cell: ({ amount }) => (amount === null ? '—' : formatMoney(amount, currency)),
    },
    {
      key: 'due',
      title: 'Was due',
      numeric: true,
      cell: ({ due }) => (due === null ? '—' : formatMoney(due, currency)),
    },
    { key: 'date', title: 'Date', cell: ({ date }) => <span style={{ whiteSpace: 'nowrap' }}>{date}</span> },
    { key: 'text', title: 'Text', cell: ({ text, name }) => `${name === '' ? '' : `${name}: `}${text}` },
  ];
}
