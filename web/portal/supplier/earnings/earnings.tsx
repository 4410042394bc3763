// The supplier's earnings: what it is owed, what every day brought, and what was paid out.
import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Earnings } from '../../../../sdk/typescript/client.ts';
import { Bars, ChartSection } from '../../../ui/chart-section.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Figure, Figures, Section } from '../../../ui/facts.tsx';
import { choiceFilter, useFilters } from '../../../ui/filters.ts';
import { count, formatDate, formatMoney, formatNumber } from '../../../ui/formats.ts';
import { ButtonLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { payoutColumns, payoutSort } from '../../../ui/statement.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { ZoneProvider } from '../../../ui/zone.tsx';
import { earningsQuery } from './earnings-query.ts';

const FILTERS = { days: choiceFilter(['30', '7', '90', '365']), payouts: payoutSort };
const SPANS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
];

export function EarningsPage(): ReactNode {
  const [{ days }, setFilters] = useFilters(FILTERS);
  const query = useQuery({ ...earningsQuery(Number(days)), placeholderData: keepPreviousData });
  return (
    <Page
      title="Earnings"
      description={
        query.data !== undefined &&
        `${formatDate(query.data.from)} to ${formatDate(query.data.to)}, days in ${query.data.timeZone}.`
      }
      actions={
        <>
          <SegmentedControl
            size="xs"
            data={SPANS}
            value={days}
            onChange={(value) => setFilters({ days: value as typeof days })}
            aria-label="Period"
          />
          <ButtonLink to="/supply/statements" variant="default">
            Statements
          </ButtonLink>
        </>
      }
    >
      <Loaded query={query} what="Loading your earnings">
        {(earnings) => (
          <ZoneProvider zone={earnings.timeZone}>
            <Balance earnings={earnings} />
            <ByDay earnings={earnings} />
            <Payouts earnings={earnings} />
          </ZoneProvider>
        )}
      </Loaded>
    </Page>
  );
}

function Balance({ earnings: { balance, held, payable, totals, days, currency } }: Of): ReactNode {
  const money = (amount: number): string => formatMoney(amount, currency);
  return (
    <Figures>
      <Figure
        name="Balance"
        value={money(balance)}
        note={
          balance < 0
            ? 'More was taken back than you earned: it is set off against what you earn next.'
            : 'What you are owed now.'
        }
      />
      <Figure name="Held" value={money(held)} note="Part of the balance: its leads can still be returned." />
      <Figure name="To be paid" value={money(payable)} note="The part of the balance that is not held." />
      <Figure
        name={`Earned in ${count(days, 'day')}`}
        value={money(totals.earned)}
        note={`${count(totals.leads, 'paid sale')}, before ${money(totals.clawedBack)} taken back for returns`}
      />
    </Figures>
  );
}

type Of = { readonly earnings: Earnings };
type Day = Earnings['byDay'][number];

const SERIES = [
  { name: 'earned', label: 'Earned', color: 'accent.6' },
  { name: 'clawedBack', label: 'Taken back', color: 'orange.6' },
];

function ByDay({ earnings: { byDay, currency } }: Of): ReactNode {
  const money = (amount: number): string => formatMoney(amount, currency);
  const columns: ReadonlyArray<Column<Day>> = [
    { key: 'date', title: 'Day', cell: ({ date }) => formatDate(date) },
    { key: 'leads', title: 'Paid sales', numeric: true, cell: ({ leads }) => formatNumber(leads) },
    { key: 'earned', title: 'Earned', numeric: true, cell: ({ earned }) => money(earned) },
    { key: 'back', title: 'Taken back', numeric: true, cell: ({ clawedBack }) => money(-clawedBack) },
    { key: 'paid', title: 'Paid out', numeric: true, cell: ({ paidOut }) => money(-paidOut) },
    { key: 'adjusted', title: 'Adjusted', numeric: true, cell: ({ adjusted }) => money(adjusted) },
  ];
  const changed = byDay.filter(({ date: _day, ...sums }) => Object.values(sums).some((sum) => sum !== 0));
  return (
    <ChartSection
      title="By day"
      chart={
        <Bars
          data={byDay.map(({ date, earned, clawedBack }) => ({ date: formatDate(date), earned, clawedBack }))}
          x="date"
          series={SERIES}
          format={money}
          isStacked={false}
        />
      }
      table={
        <DataTable
          caption="Earnings by day, newest first, without days on which nothing changed"
          columns={columns}
          rows={changed.toReversed()}
          rowKey={({ date }) => date}
          empty={<Empty title="Nothing in these days">A sale counts on the day on which it is confirmed.</Empty>}
        />
      }
    />
  );
}

function Payouts({ earnings: { payouts, currency } }: Of): ReactNode {
  const [{ payouts: sort }, setFilters] = useFilters(FILTERS);
  const ascending = payouts
    .toReversed()
    .toSorted((one, other) =>
      sort.endsWith('amount') ? one.amount - other.amount : Date.parse(one.recordedAt) - Date.parse(other.recordedAt),
    );
  return (
    <Section title="Latest payouts">
      <DataTable
        caption="Latest payouts"
        columns={payoutColumns((amount) => formatMoney(amount, currency))}
        rows={sort.startsWith('-') ? ascending.toReversed() : ascending}
        rowKey={({ payoutId }) => payoutId}
        sort={{ by: sort, onChange: (by) => setFilters({ payouts: FILTERS.payouts.read(by) }) }}
        empty={<Empty title="No payouts yet">They are listed here when they are recorded.</Empty>}
      />
    </Section>
  );
}
