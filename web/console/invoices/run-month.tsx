// The monthly invoice run: a preview per partner, then issuing the invoices after a confirmation.
import { Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { count, formatMoney, formatNumber } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Empty, Failure } from '../../ui/states.tsx';
import { createFollow } from '../../ui/follow.ts';
import type { ConsoleApi } from '../console-api.ts';
import { useConsoleSession } from '../session.ts';
import type { InvoiceRunEnd, InvoiceRunProgress, InvoiceRunResult } from '../../../src/console/invoices.schema.ts';
import { monthName } from './months.ts';

const follow = createFollow<ConsoleApi>();

type Run = {
  readonly month: string;
  readonly isDry: boolean;
  readonly isBusy: boolean;
  readonly lines: readonly InvoiceRunResult[];
  readonly progress: InvoiceRunProgress | null;
  readonly end: InvoiceRunEnd | null;
  readonly error: unknown;
};

export function RunMonth({ months }: { readonly months: readonly string[] }): ReactNode {
  const { currency } = useConsoleSession();
  const queries = useQueryClient();
  const [month, setMonth] = useState(months[0] ?? '');
  const [run, setRun] = useState<Run | null>(null);
  const [isAsking, setAsking] = useState(false);
  const begin = async (isDry: boolean): Promise<void> => {
    const fresh: Run = { month, isDry, isBusy: true, lines: [], progress: null, end: null, error: null };
    setRun(fresh);
    const change = (part: (before: Run) => Partial<Run>): void =>
      setRun((before) => ({ ...(before ?? fresh), ...part(before ?? fresh) }));
    try {
      await follow('POST /console/api/invoices/run', { month, dryRun: isDry }, (line) => {
        change(({ lines }) => {
          if (line.kind === 'line') return { lines: [...lines, line] };
          return line.kind === 'progress' ? { progress: line } : { end: line };
        });
      });
    } catch (error) {
      change(() => ({ error }));
    } finally {
      change(() => ({ isBusy: false }));
      if (!isDry) void queries.invalidateQueries({ queryKey: ['invoices'] });
    }
  };
  const isBusy = run?.isBusy === true;
  const isIssuing = isBusy && !run.isDry;
  const state = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that started the run is gone.
    if (isIssuing) state.current?.focus();
  }, [isIssuing]);
  const toMake = run !== null && run.isDry && run.month === month ? (run.end?.invoices ?? 0) : 0;
  return (
    <Section title="Monthly run">
      <Text size="sm" c="dimmed">
        Issues every partner’s invoice for a past month. Preview it first: a preview issues nothing. Existing invoices
        are not changed.
      </Text>
      <Group align="flex-end">
        <Select
          label="Month to invoice"
          data={months.map((one) => ({ value: one, label: monthName(one) }))}
          value={month}
          allowDeselect={false}
          disabled={isBusy}
          onChange={(chosen) => {
            setMonth(chosen ?? month);
            setRun(null);
          }}
        />
        <Button variant="default" onClick={() => void begin(true)} loading={isBusy && run.isDry} disabled={isBusy}>
          Preview
        </Button>
        {toMake > 0 && (
          <Button onClick={() => setAsking(true)} disabled={isBusy}>
            Issue {count(toMake, 'invoice')} …
          </Button>
        )}
      </Group>
      <div ref={state} tabIndex={-1} style={{ outline: 'none' }}>
        {run !== null && <RunState run={run} currency={currency} />}
      </div>
      <Confirm
        isOpen={isAsking}
        title={`Issue the invoices of ${monthName(month)}?`}
        action={`Issue ${count(toMake, 'invoice')}`}
        // The dialog closes at once: it would hide the progress of the run.
        onConfirm={() => {
          void begin(false);
          return Promise.resolve();
        }}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">
          <Text>
            {formatMoney(run?.end?.total ?? 0, currency)} total, of which{' '}
            {formatMoney(run?.end?.amountDue ?? 0, currency)} will be due. Partners see their invoices at once.
          </Text>
          <Text fw={650}>
            An issued invoice keeps its number. It can be voided while nothing is paid, but never deleted.
          </Text>
        </Stack>
      </Confirm>
    </Section>
  );
}

function RunState({ run, currency }: { readonly run: Run; readonly currency: string }): ReactNode {
  const { progress, isBusy, isDry, month, lines, end, error } = run;
  return (
    <Stack gap="sm">
      <Stack role="status" gap="xs">
        {isBusy && (
          <>
            <Text size="sm">
              {isDry ? 'Previewing' : 'Issuing'} {monthName(month)}
              {progress === null ? '' : `: ${formatNumber(progress.done)} of ${count(progress.of, 'partner')}`} …
            </Text>
            <Progress
              value={progress === null ? 0 : (100 * progress.done) / progress.of}
              animated
              aria-label="Progress of the run"
            />
            {!isDry && (
              <Text size="sm" c="dimmed">
                The run continues if you leave this page.
              </Text>
            )}
          </>
        )}
        {end !== null && <Text fw={650}>{endWords(run, end, currency)}</Text>}
      </Stack>
      {error !== null && <Failure error={error} title={isDry ? 'The preview failed' : 'The run failed'} />}
      {error !== null && !isDry && (
        <Text size="sm">Invoices issued so far remain. Preview the month again to see what is left.</Text>
      )}
      {lines.length > 0 && (
        <DataTable
          caption={isDry ? 'Preview of the run' : 'Result of the run'}
          columns={columnsFor(currency)}
          rows={lines}
          rowKey={({ partner }) => partner}
          empty={null}
        />
      )}
      {end !== null && lines.length === 0 && (
        <Empty title="Nothing to invoice">
          No partner was charged or credited in {monthName(month)}, and nothing is carried over.
        </Empty>
      )}
    </Stack>
  );
}

function endWords(
  { isDry }: Run,
  { isWhole, invoices, existed, partners, total, amountDue }: InvoiceRunEnd,
  currency: string,
): string {
  if (!isWhole) return 'The service stopped during the run. Preview the month again to see what is left.';
  const before = existed === 0 ? '' : ` ${count(existed, 'invoice')} existed already.`;
  const money = `${formatMoney(total, currency)} total, ${formatMoney(amountDue, currency)} due`;
  if (isDry) {
    return invoices === 0
      ? `No invoices to issue for ${count(partners, 'partner')}.${before}`
      : `${count(invoices, 'invoice')} would be issued to ${count(partners, 'partner')}: ${money}.${before}`;
  }
  return `${count(invoices, 'invoice')} issued: ${money}.${before}`;
}

const OUTCOMES = { due: 'would be issued', issued: 'issued', exists: 'existed already' } as const;

function columnsFor(currency: string): ReadonlyArray<Column<InvoiceRunResult>> {
  const money = (amount: number): string => formatMoney(amount, currency);
  return [
    { key: 'partner', title: 'Partner', cell: ({ partnerName }) => partnerName },
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
  ];
}
