// The funnel of the overview: from submitted leads to kept deliveries, each loss with a link to what shows it.
import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Report } from '../../../src/reports/report.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatMoney, formatNumber, formatShare } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { changeInWords } from '../../ui/reports/words.ts';
import { Empty } from '../../ui/states.tsx';
import { type FunnelStep, funnelSteps } from './funnel-steps.ts';

const NAMES: Readonly<Record<string, readonly [name: string, unit: string]>> = {
  submitted: ['Submitted', 'leads'],
  accepted: ['Accepted', 'leads'],
  sold: ['Matched', 'leads'],
  deliveries: ['Sold', 'deliveries'],
  confirmed: ['Confirmed', 'deliveries'],
  kept: ['Kept', 'deliveries'],
};

type Row = FunnelStep & { readonly before: FunnelStep | undefined };

export function Funnel({
  report,
  span,
}: {
  readonly report: Report;
  /** For the links: nothing for the span that reports have by default. */
  readonly span: string | undefined;
}): ReactNode {
  const { totals, totalsBefore, from, until } = report;
  const before = totalsBefore === null ? [] : funnelSteps(totalsBefore);
  const rows = funnelSteps(totals).map((step, index): Row => ({ ...step, before: before[index] }));
  return (
    <Section title="Funnel">
      <DataTable
        caption="Funnel"
        columns={columnsOf({ from, until, span }, lostMoney(report))}
        rows={rows}
        rowKey={({ measure }) => measure}
        empty={<Empty title="Nothing in these days" />}
      />
      <Text size="xs" c="dimmed">
        Leads count by when they were received. A matched lead has a partner and is sold to one or more: deliveries
        count by when they were made.
      </Text>
    </Section>
  );
}

type Days = { readonly from: string; readonly until: string; readonly span: string | undefined };

/** What the unsold leads would have brought at the average price; null without a sale. */
function lostMoney({ totals: { unsold, averagePrice }, currency }: Report): string | null {
  if (unsold === undefined || unsold === null || averagePrice === undefined || averagePrice === null) return null;
  return formatMoney(unsold * averagePrice, currency);
}

function columnsOf(days: Days, lost: string | null): ReadonlyArray<Column<Row>> {
  return [
    { key: 'step', title: 'Step', cell: StepCell },
    {
      key: 'count',
      title: 'Count',
      numeric: true,
      cell: ({ measure, count, before }) => (
        <>
          {formatNumber(count)}
          {before !== undefined && (
            <Text size="xs" c="dimmed">
              {changeInWords(measure, { now: count, before: before.count })}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'share',
      title: 'Of previous step',
      numeric: true,
      cell: (row) => (
        <>
          {shareWords(row)}
          {row.before !== undefined && row.before.share !== null && (
            <Text size="xs" c="dimmed">
              before {shareWords(row.before)}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'lost',
      title: 'Lost',
      cell: (row) => <Loss step={row} days={days} money={row.measure === 'sold' ? lost : null} />,
    },
  ];
}

function StepCell({ measure, width }: FunnelStep): ReactNode {
  const [name, unit] = NAMES[measure] ?? [measure, ''];
  return (
    <Box miw={140}>
      {name}{' '}
      <Text size="xs" c="dimmed" component="span">
        {unit}
      </Text>
      <Box aria-hidden="true" mt={4} h={6} bg="accent.6" style={{ width: `${100 * width}%`, borderRadius: 3 }} />
    </Box>
  );
}

function shareWords({ measure, share }: FunnelStep): string {
  if (share === null) return '—';
  return measure === 'deliveries' ? `${share.toFixed(2)} a lead` : formatShare(share);
}

function Loss({
  step,
  days,
  money,
}: {
  readonly step: FunnelStep;
  readonly days: Days;
  readonly money: string | null;
}): ReactNode {
  const { measure, lost, open } = step;
  const loss = LOSSES[measure];
  if (loss === undefined) return '—';
  const { to, search } = loss.target(days);
  return (
    <>
      {lost === 0 ? (
        'None'
      ) : (
        <PageLink to={to} search={search}>
          {`${formatNumber(lost)} ${loss.words}`}
        </PageLink>
      )}
      {lost > 0 && money !== null && (
        <Text size="xs" c="dimmed">
          {money} at the average price
        </Text>
      )}
      {open > 0 && (
        <Text size="xs" c="dimmed">
          {formatNumber(open)} not decided yet
        </Text>
      )}
    </>
  );
}

type Target = { readonly to: string; readonly search: Readonly<Record<string, string | undefined>> };

const report =
  (by: string, measures: string, sort: string) =>
  ({ span }: Days): Target => ({ to: '/reports', search: { by, measures, sort, compare: 'previous', span } });

const LOSSES: Readonly<Record<string, { readonly words: string; readonly target: (days: Days) => Target }>> = {
  accepted: {
    words: 'rejected',
    target: ({ from, until }) => ({ to: '/leads', search: { state: 'invalid', from, to: until } }),
  },
  sold: { words: 'unsold', target: report('supplier,source', 'unsold,sold,sellThrough', '-unsold') },
  confirmed: {
    words: 'not confirmed',
    target: report('partner', 'failed,deliveries,confirmed,rejectionRate', '-failed'),
  },
  kept: { words: 'returned', target: report('partner', 'returned,returnRate,confirmed,kept', '-returned') },
};
