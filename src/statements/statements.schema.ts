// Schemas of a supplier's earnings, statements and payouts (contract 11.4).
import { Type } from 'typebox';

const money = (description: string) => Type.Number({ description: `${description} At most two decimals.` });
const timestamp = (description: string) => Type.String({ format: 'date-time', description });
const id = (description: string, example: string) => Type.String({ description, examples: [example] });
const leads = Type.Integer({
  minimum: 0,
  description: 'The number of sales that were paid for. A lead that was sold twice may count twice.',
});

const sums = {
  leads,
  earned: money('What you earned.'),
  clawedBack: money('What approved returns took back, above 0.'),
  paidOut: money('What was paid out to you, above 0.'),
  adjusted: money('Corrections by the operator, of either sign.'),
};

const payoutExample = {
  payoutId: 'txn_01m98xr6b2f4atk1q5p8dv3n7c',
  reference: 'SEPA 2026-11-05',
  amount: 300,
  recordedAt: '2026-11-05T16:00:00.000Z',
};

export const PayoutSchema = Type.Object(
  {
    payoutId: id('The id of the payout.', 'txn_01m98xr6b2f4atk1q5p8dv3n7c'),
    reference: Type.String({ description: 'The reference of the transfer.', examples: ['SEPA 2026-11-05'] }),
    amount: money('What was paid out.'),
    recordedAt: timestamp('When the operator recorded it.'),
  },
  { $id: 'SupplierPayout', description: 'Money that the operator has transferred to you.', examples: [payoutExample] },
);

const earningsExample = {
  supplierKey: 'acme-media',
  currency: 'USD',
  timeZone: 'America/New_York',
  days: 2,
  from: '2026-11-04',
  to: '2026-11-05',
  balance: 700,
  held: 250,
  payable: 450,
  totals: { leads: 21, earned: 250, clawedBack: 12, paidOut: 300, adjusted: 0 },
  byDay: [
    { date: '2026-11-04', leads: 11, earned: 130, clawedBack: 0, paidOut: 0, adjusted: 0 },
    { date: '2026-11-05', leads: 10, earned: 120, clawedBack: 12, paidOut: 300, adjusted: 0 },
  ],
  payouts: [payoutExample],
};

export const EarningsSchema = Type.Object(
  {
    supplierKey: Type.String(),
    currency: Type.String({ description: 'The currency of all amounts.' }),
    timeZone: Type.String({ description: 'The time zone of all days.' }),
    days: Type.Integer({ description: 'The window requested.' }),
    from: Type.String({ description: 'The first day of the window.' }),
    to: Type.String({ description: 'Today.' }),
    balance: money('What the operator owes you now. Below 0 if more was taken back than you earned.'),
    held: money('Earnings whose hold has not ended. They are part of the balance.'),
    payable: money('The part of the balance that is not held; at least 0.'),
    totals: Type.Object(sums, { description: 'The sums over the window.' }),
    byDay: Type.Array(Type.Object({ date: Type.String(), ...sums }), {
      description: 'Every day of the window, oldest first.',
    }),
    payouts: Type.Array(Type.Ref('SupplierPayout'), { description: 'The latest payouts, newest first, at most 10.' }),
  },
  { $id: 'Earnings', description: 'What your leads earn, as of one instant.', examples: [earningsExample] },
);

const statementMembers = {
  statementId: id('The id of the statement.', 'stm_01m98xr6b2f4atk1q5p8dv3n7c'),
  number: id('Counted without gaps in the year of issue.', 'ST-2026-000001'),
  month: id('The calendar month in `timeZone`.', '2026-10'),
  timeZone: Type.String({ description: 'Your time zone at the time of issue.' }),
  periodStart: timestamp('The first instant of the month.'),
  periodEnd: timestamp('The first instant of the next month.'),
  currency: Type.String({ description: 'The currency of all amounts.' }),
  carried: money('The balance before the statement.'),
  ...sums,
  total: money(
    '`carried` + `earned` − `clawedBack` − `paidOut` + `adjusted`, which is the balance after the statement.',
  ),
  held: money('The part of the total whose hold ended after the month.'),
  payable: money('`total` − `held`, at least 0.'),
  issuedAt: timestamp('When it was issued. It never changes.'),
};

const statementExample = {
  statementId: 'stm_01m98xr6b2f4atk1q5p8dv3n7c',
  number: 'ST-2026-000001',
  month: '2026-10',
  timeZone: 'America/New_York',
  periodStart: '2026-10-01T04:00:00.000Z',
  periodEnd: '2026-11-01T04:00:00.000Z',
  currency: 'USD',
  carried: 100,
  leads: 60,
  earned: 720,
  clawedBack: 24,
  paidOut: 100,
  adjusted: 0,
  total: 696,
  held: 324,
  payable: 372,
  issuedAt: '2026-11-01T05:00:00.000Z',
};

export const StatementSchema = Type.Object(statementMembers, {
  $id: 'Statement',
  description: 'What you earned in one calendar month of your time zone, and what the operator owed you at its end.',
  examples: [statementExample],
});

export const StatementDetailSchema = Type.Object(
  {
    ...statementMembers,
    days: Type.Array(
      Type.Object({
        day: Type.Integer({ minimum: 0, maximum: 31, description: 'The day of the month; 0 is before it.' }),
        ...sums,
      }),
      { description: 'The days on which there are entries.' },
    ),
    payouts: Type.Array(Type.Ref('SupplierPayout'), { description: 'The payouts on it, oldest first, at most 100.' }),
  },
  {
    $id: 'StatementDetail',
    description: 'A statement with its sums by day and its payouts.',
    examples: [
      {
        ...statementExample,
        days: [
          { day: 0, leads: 0, earned: 0, clawedBack: 12, paidOut: 0, adjusted: 0 },
          { day: 5, leads: 60, earned: 720, clawedBack: 12, paidOut: 100, adjusted: 0 },
        ],
        payouts: [{ ...payoutExample, amount: 100, recordedAt: '2026-10-05T16:00:00.000Z' }],
      },
    ],
  },
);

export const StatementsSchema = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: 100 }),
    total: Type.Integer({ minimum: 0, description: 'The exact number of all your statements.' }),
    totalPages: Type.Integer({ minimum: 0 }),
    data: Type.Array(Type.Ref('Statement'), { description: 'In the order of `sort`.' }),
  },
  {
    $id: 'Statements',
    description: 'One page of your statements; `Link` leads to the others.',
    examples: [{ page: 1, pageSize: 25, total: 1, totalPages: 1, data: [statementExample] }],
  },
);
