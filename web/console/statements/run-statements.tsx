// The monthly run of suppliers' statements.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { StatementRunEnd, StatementRunResult } from '../../../src/console/statements.schema.ts';
import { createFollow } from '../../ui/follow.ts';
import { PageLink } from '../../ui/link.tsx';
import type { ConsoleApi } from '../console-api.ts';
import { MonthRun, type MonthRunOf } from '../invoices/month-run.tsx';
import { OUTCOMES, PrintedName } from '../invoices/run-month.tsx';

const follow = createFollow<ConsoleApi>();

export function RunStatements({ months }: { readonly months: readonly string[] }): ReactNode {
  return <MonthRun months={months} of={STATEMENTS} />;
}

const STATEMENTS: MonthRunOf<StatementRunResult, StatementRunEnd> = {
  begin: (input, onLine) => follow('POST /console/api/statements/run', input, onLine),
  queryKey: 'statements',
  document: 'statement',
  owner: 'supplier',
  intro:
    'Issues every supplier’s statement of a past month. Preview it first: a preview issues nothing. Existing statements are not changed. No money moves: record a payout after you have paid.',
  monthLabel: 'Month to state',
  nothing: 'No supplier earned anything',
  made: ({ statements }) => statements,
  owners: ({ suppliers }) => suppliers,
  sums: ({ earned, payable }, money) => `${money(earned)} earned, ${money(payable)} to be paid`,
  warning: ({ earned, payable }, money) => (
    <>
      <Text>
        {money(earned)} earned, of which with earlier balances {money(payable)} are to be paid. Suppliers see their
        statements at once.
      </Text>
      <Text fw={650}>An issued statement is never changed or deleted. What is posted later is on the next one.</Text>
    </>
  ),
  columns: (money) => [
    {
      key: 'supplier',
      title: 'Supplier',
      cell: ({ supplierName, unprintable }) => <PrintedName name={supplierName} unprintable={unprintable} />,
    },
    {
      key: 'number',
      title: 'Statement',
      cell: ({ number, outcome }) =>
        number === null ? (
          OUTCOMES[outcome]
        ) : (
          <>
            <PageLink to="/statements" search={{ statement: number }}>
              {number}
            </PageLink>{' '}
            {OUTCOMES[outcome]}
          </>
        ),
    },
    { key: 'carried', title: 'Balance before', numeric: true, cell: ({ carried }) => money(carried) },
    { key: 'earned', title: 'Earned', numeric: true, cell: ({ earned }) => money(earned) },
    { key: 'back', title: 'Taken back', numeric: true, cell: ({ clawedBack }) => money(-clawedBack) },
    { key: 'paid', title: 'Paid out', numeric: true, cell: ({ paidOut }) => money(-paidOut) },
    { key: 'total', title: 'Balance after', numeric: true, cell: ({ total }) => money(total) },
    { key: 'payable', title: 'To be paid', numeric: true, cell: ({ payable }) => money(payable) },
  ],
  rowKey: ({ supplier }) => supplier,
};
