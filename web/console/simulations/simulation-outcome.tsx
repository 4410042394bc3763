// The result of a dry run: money and leads before and after, by partner and offer, and reasons of unsold leads.
import { List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figure, Figures, Section } from '../../ui/facts.tsx';
import { count, formatMoney, formatNumber } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';
import { useConsoleSession } from '../session.ts';
import { Attention } from '../attention.tsx';
import type { FromTo, SimulationResult } from '../../../src/console/simulations.schema.ts';

export function SimulationOutcome({
  result,
  days,
}: {
  readonly result: SimulationResult;
  readonly days: number;
}): ReactNode {
  const { currency } = useConsoleSession();
  const { totals, leads, differences, partners, offers, suppliers, unsold } = result;
  const { history, simulated } = totals;
  return (
    <>
      <Text role="status">
        {count(leads, 'lead')} of the last {count(days, 'day')} replayed, <Time at={result.from} /> to{' '}
        <Time at={result.to} />.{' '}
        {differences === 0
          ? 'None would have a different outcome.'
          : `${formatNumber(differences)} would have a different outcome.`}
      </Text>
      <Caveats result={result} />
      <Figures>
        {(
          [
            ['Revenue', 'revenue'],
            ['Cost', 'cost'],
            ['Margin', 'margin'],
          ] as const
        ).map(([name, member]) => {
          const { [member]: from } = history;
          const { [member]: to } = simulated;
          // A result that an earlier release has stored has neither cost nor margin.
          if (from === undefined || to === undefined) return null;
          const change = difference({ from, to });
          return (
            <Figure
              key={member}
              name={name}
              value={
                <Signed value={change} text={formatMoney(Math.abs(change), currency)} isGoodBelow={member === 'cost'} />
              }
              note={`${formatMoney(from, currency)} before, ${formatMoney(to, currency)} with the change`}
            />
          );
        })}
        {(
          [
            ['Sold', 'routed'],
            ['Not sold', 'rejected'],
            ['Still held', 'held'],
          ] as const
        ).map(([name, member]) => {
          const change = simulated[member] - history[member];
          return (
            <Figure
              key={member}
              name={name}
              value={
                <Signed value={change} text={formatNumber(Math.abs(change))} isGoodBelow={member === 'rejected'} />
              }
              note={`${formatNumber(history[member])} before, ${formatNumber(simulated[member])} with the change`}
            />
          );
        })}
      </Figures>
      <Section title="Partners">
        <DataTable
          caption="Partners with a difference"
          columns={partnerColumns(currency)}
          rows={partners.rows}
          rowKey={({ partner }) => partner}
          empty={<Empty title="No partner would change" />}
        />
        <Rest shown={partners.rows.length} {...partners} what="partner" />
      </Section>
      <Section title="Offers">
        <DataTable
          caption="Offers with a difference"
          columns={offerColumns(currency)}
          rows={offers.rows}
          rowKey={({ offer }) => offer}
          empty={<Empty title="No offer would change" />}
        />
        <Rest shown={offers.rows.length} {...offers} what="offer" />
      </Section>
      <Section title="Suppliers">
        <DataTable
          caption="Suppliers with a difference"
          columns={supplierColumns(currency)}
          rows={suppliers.rows}
          rowKey={({ supplier }) => supplier}
          empty={<Empty title="No supplier would change" />}
        />
        <Rest shown={suppliers.rows.length} {...suppliers} what="supplier" />
      </Section>
      <Section title="Reasons of unsold leads">
        <DataTable
          caption="Reasons of unsold leads"
          columns={UNSOLD}
          rows={unsold}
          rowKey={({ reason }) => reason}
          empty={<Empty title="No unsold leads" />}
        />
      </Section>
    </>
  );
}

function Caveats({ result: { erased, configurationChanges } }: { readonly result: SimulationResult }): ReactNode {
  if (erased === 0 && configurationChanges === 0) return null;
  return (
    <Attention title="Limitations">
      <List size="sm">
        {configurationChanges > 0 && (
          <List.Item>
            The configuration changed{' '}
            {configurationChanges === 1 ? 'once' : `${formatNumber(configurationChanges)} times`} in these days, so some
            differences come from those changes.
          </List.Item>
        )}
        {erased > 0 && (
          <List.Item>{count(erased, 'lead')} could not be replayed, because their personal data is erased.</List.Item>
        )}
      </List>
    </Attention>
  );
}

function Rest({
  shown,
  changed,
  unchanged,
  what,
}: {
  readonly shown: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly what: string;
}): ReactNode {
  const hidden = changed - shown;
  if (hidden === 0 && unchanged === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {hidden > 0 && `Shows the ${formatNumber(shown)} largest differences of ${formatNumber(changed)}. `}
      {unchanged > 0 && `${count(unchanged, what)} unchanged.`}
    </Text>
  );
}

function partnerColumns(currency: string): Array<Column<SimulationResult['partners']['rows'][number]>> {
  return [
    {
      key: 'partner',
      title: 'Partner',
      cell: ({ partner, name }) => (
        <PageLink to="/partners/$partnerKey" params={{ partnerKey: partner }}>
          {name}
        </PageLink>
      ),
    },
    ...differenceColumns(currency),
  ];
}

function offerColumns(currency: string): Array<Column<SimulationResult['offers']['rows'][number]>> {
  return [
    {
      key: 'offer',
      title: 'Offer',
      cell: ({ offer, partner, name }) => (
        <Stack gap={0}>
          <PageLink to="/partners/$partnerKey/offers/$offerKey" params={{ partnerKey: partner, offerKey: offer }}>
            {name}
          </PageLink>
          <Text size="xs" c="dimmed">
            {offer}
          </Text>
        </Stack>
      ),
    },
    ...differenceColumns(currency),
  ];
}

function supplierColumns(currency: string): Array<Column<SimulationResult['suppliers']['rows'][number]>> {
  return [
    {
      key: 'supplier',
      title: 'Supplier',
      cell: ({ supplier, name }) => (
        <PageLink to="/suppliers/$supplierKey" params={{ supplierKey: supplier }}>
          {name}
        </PageLink>
      ),
    },
    ...differenceColumns(currency),
  ];
}

function differenceColumns<Row extends { readonly leads: FromTo; readonly revenue: FromTo; readonly margin?: FromTo }>(
  currency: string,
): Array<Column<Row>> {
  const money = (amount: number): string => formatMoney(amount, currency);
  return [
    {
      key: 'revenue',
      title: 'Difference in revenue',
      numeric: true,
      cell: ({ revenue }) => <Signed value={difference(revenue)} text={money(Math.abs(difference(revenue)))} />,
    },
    { key: 'revenueFrom', title: 'before', numeric: true, cell: ({ revenue }) => money(revenue.from) },
    { key: 'revenueTo', title: 'with the change', numeric: true, cell: ({ revenue }) => money(revenue.to) },
    {
      key: 'margin',
      title: 'Difference in margin',
      numeric: true,
      cell: ({ margin }) =>
        margin === undefined ? '–' : <Signed value={difference(margin)} text={money(Math.abs(difference(margin)))} />,
    },
    {
      key: 'leads',
      title: 'Difference in leads',
      numeric: true,
      cell: ({ leads }) => <Signed value={difference(leads)} text={formatNumber(Math.abs(difference(leads)))} />,
    },
    { key: 'leadsFrom', title: 'before', numeric: true, cell: ({ leads }) => formatNumber(leads.from) },
    { key: 'leadsTo', title: 'with the change', numeric: true, cell: ({ leads }) => formatNumber(leads.to) },
  ];
}

const UNSOLD: Array<Column<{ readonly reason: string } & FromTo>> = [
  { key: 'reason', title: 'Reason', cell: ({ reason }) => reasonWords(reason) },
  { key: 'from', title: 'Before', numeric: true, cell: ({ from }) => formatNumber(from) },
  { key: 'to', title: 'With the change', numeric: true, cell: ({ to }) => formatNumber(to) },
  {
    key: 'difference',
    title: 'Difference',
    numeric: true,
    cell: (row) => <Signed value={difference(row)} text={formatNumber(Math.abs(difference(row)))} isGoodBelow />,
  },
];

const REASONS: Readonly<Record<string, string>> = {
  not_wanted: 'No offer matched',
  duplicate: 'Duplicate',
  cap_reached: 'Cap reached',
  budget_reached: 'Budget used up',
  over_pace: 'Ahead of pace',
  outside_schedule: 'Outside of hours',
  funds_missing: 'Out of funds',
  endpoint_failing: 'Endpoint failing',
  endpoint_disabled: 'Endpoint disabled',
  paused_by_partner: 'Paused by the partner',
  funds_paused: 'Paused: low balance',
  rejections_paused: 'Paused: many rejections',
  no_slot: 'No appointment slot free',
  had_it_before: 'Partner had it before',
  suppressed: 'Suppressed',
  on_exclusion_list: 'On an exclusion list',
};

function reasonWords(reason: string): string {
  const words = reason.replaceAll('_', ' ');
  return REASONS[reason] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Rounded to cents, because differences of decimals are not exact. */
function difference({ from, to }: FromTo): number {
  return Math.round((to - from) * 100) / 100;
}

/** A signed difference; the sign is shown as well as the color. */
function Signed({
  value,
  text,
  isGoodBelow = false,
}: {
  readonly value: number;
  readonly text: string;
  readonly isGoodBelow?: boolean;
}): ReactNode {
  if (value === 0) return <span>±0</span>;
  return (
    <Text component="span" inherit c={value > 0 !== isGoodBelow ? 'var(--lm-good)' : 'var(--lm-bad)'}>
      {value > 0 ? '+' : '−'}
      {text}
    </Text>
  );
}
