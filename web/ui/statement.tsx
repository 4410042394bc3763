// One statement of a supplier: the balance before and after, sums by day, and payouts. For the console and the supplier's portal.
import type { ReactNode } from 'react';

import type { StatementDetail } from '../../sdk/typescript/client.ts';
import { type Column, DataTable } from './data-table.tsx';
import { Facts, Section } from './facts.tsx';
import { choiceFilter } from './filters.ts';
import { count, formatMoney, formatNumber } from './formats.ts';
import { ordersOf } from './list-orders.ts';
import { Time } from './zone.tsx';

/** The parts that both have. */
type Shown = Omit<StatementDetail, 'statementId'>;
type Day = Shown['days'][number];
type Payout = Shown['payouts'][number];

export function StatementSections({ statement }: { readonly statement: Shown }): ReactNode {
  const { currency, month, days, payouts } = statement;
  const money = (amount: number): string => formatMoney(amount, currency);
  return (
    <>
      <Section title="Summary">
        <Facts
          columns={3}
          facts={[
            ['Balance before', money(statement.carried)],
            [`Earned with ${count(statement.leads, 'paid sale')}`, money(statement.earned)],
            ['Taken back for returns', money(-statement.clawedBack)],
            ['Paid out', money(-statement.paidOut)],
            ...(statement.adjusted === 0 ? [] : [['Adjustments', money(statement.adjusted)] as const]),
            ['Balance after', money(statement.total)],
            ['Held, because its leads can still be returned', money(statement.held)],
            ['To be paid out', money(statement.payable)],
            ['Issued', <Time key="issued" at={statement.issuedAt} />],
          ]}
        />
      </Section>
      <Section title="By day">
        <DataTable
          caption={`Sums by day in ${statement.timeZone}`}
          columns={dayColumns(month, money)}
          rows={days}
          rowKey={({ day }) => String(day)}
          empty="Nothing happened in this month: the balance is carried over."
        />
      </Section>
      {payouts.length > 0 && (
        <Section title="Payouts">
          <DataTable
            caption="Payouts"
            columns={payoutColumns(money)}
            rows={payouts}
            rowKey={({ payoutId }) => payoutId}
            empty={null}
          />
        </Section>
      )}
    </>
  );
}

function dayColumns(month: string, money: (amount: number) => string): ReadonlyArray<Column<Day>> {
  return [
    {
      key: 'day',
      title: 'Day',
      cell: ({ day }) => (day === 0 ? 'Before the month' : `${month}-${String(day).padStart(2, '0')}`),
    },
    { key: 'leads', title: 'Paid sales', numeric: true, cell: ({ leads }) => formatNumber(leads) },
    { key: 'earned', title: 'Earned', numeric: true, cell: ({ earned }) => money(earned) },
    { key: 'back', title: 'Taken back', numeric: true, cell: ({ clawedBack }) => money(-clawedBack) },
    { key: 'paid', title: 'Paid out', numeric: true, cell: ({ paidOut }) => money(-paidOut) },
    { key: 'adjusted', title: 'Adjusted', numeric: true, cell: ({ adjusted }) => money(adjusted) },
  ];
}

/** The order of payouts for `useFilters`: newest first by default. */
export const payoutSort = choiceFilter(['-recorded', 'recorded', 'amount', '-amount']);

export function payoutColumns(money: (amount: number) => string): ReadonlyArray<Column<Payout>> {
  return [
    {
      key: 'at',
      title: 'Recorded',
      orders: ordersOf('recorded'),
      cell: ({ recordedAt }) => <Time at={recordedAt} kind="short" />,
    },
    { key: 'reference', title: 'Reference', cell: ({ reference }) => reference },
    { key: 'amount', title: 'Amount', numeric: true, orders: ordersOf('amount'), cell: ({ amount }) => money(amount) },
  ];
}
