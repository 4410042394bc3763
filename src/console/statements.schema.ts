// Suppliers' balances, statements and payouts in the operator's console and API (contract 11.3, 11.4).
import { type Static, Type } from 'typebox';

import { csvFileQuery } from '../platform/http/csv-file.schema.ts';

import { pagedQuery, pageOf } from '../platform/http/list.schema.ts';
import { balanceOrders } from '../reports/account-list-order.rules.ts';
import { PAYOUT_REFERENCE_MAX, payoutOrders, statementOrders } from '../statements/statement.ts';

const text = Type.String();
const amount = Type.Number();
const count = Type.Integer();
const time = Type.String({ format: 'date-time' });
const Month = Type.String({ pattern: '^2\\d{3}-(?:0[1-9]|1[0-2])$', description: 'Only of this month.' });
const SupplierKey = Type.String({ minLength: 1, maxLength: 63, description: 'The key of a supplier.' });
const { search, page, pageSize } = pagedQuery;

export const SupplierBalancesQuery = Type.Object({
  search,
  sort: Type.Optional(
    Type.Enum([...balanceOrders], {
      default: 'name',
      description: 'By name or by an amount; `-` begins with the highest. Equal ones are ordered by name.',
    }),
  ),
  page,
  pageSize,
});
export type SupplierBalancesQuery = Static<typeof SupplierBalancesQuery>;
export const SupplierBalancesSchema = Type.Object({
  ...pageOf(
    Type.Object({
      ...{ supplier: text, supplierName: text, timeZone: text },
      /** What the operator owes; below 0 if more was taken back than earned. */
      balance: amount,
      held: amount,
      payable: amount,
    }),
  ).properties,
  currency: text,
});
export type SupplierBalances = Static<typeof SupplierBalancesSchema>;

export const StatementsQuery = Type.Object({
  supplier: Type.Optional(SupplierKey),
  month: Type.Optional(Month),
  sort: Type.Optional(
    Type.Enum([...statementOrders], {
      default: '-issued',
      description: 'By time of issue or an amount; `-` begins with the latest or highest.',
    }),
  ),
  page,
  pageSize,
});
export type StatementsQuery = Static<typeof StatementsQuery>;

const amounts = {
  ...{ carried: amount, leads: count, earned: amount, clawedBack: amount, paidOut: amount, adjusted: amount },
  ...{ total: amount, held: amount, payable: amount },
};
const statement = {
  ...{ statementId: text, number: text, supplier: text, supplierName: text, month: text, timeZone: text },
  ...{ periodStart: time, periodEnd: time, currency: text, ...amounts, issuedAt: time },
};
export const StatementListSchema = Type.Object({
  ...pageOf(Type.Object(statement)).properties,
  currency: text,
  earned: Type.Number({ description: 'What all statements of the query say was earned.' }),
});
export type StatementList = Static<typeof StatementListSchema>;

const payout = { payoutId: text, reference: text, amount, recordedAt: time };
export const ShownStatementSchema = Type.Object({
  ...statement,
  /** Day 0 is before the month. */
  days: Type.Array(
    Type.Object({ day: count, leads: count, earned: amount, clawedBack: amount, paidOut: amount, adjusted: amount }),
  ),
  payouts: Type.Array(Type.Object(payout)),
});
export type ShownStatement = Static<typeof ShownStatementSchema>;
export const StatementParams = Type.Object({
  statementId: Type.String({ description: 'The number (`ST-…`) or id (`stm_…`) of a statement.' }),
});
export const StatementDocumentQuery = Type.Object({
  form: Type.Optional(Type.Enum(['pdf', 'html', 'csv'], { default: 'pdf' })),
  ...csvFileQuery,
});

export const StatementRunBody = Type.Object(
  {
    month: Month,
    supplier: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'Only of this supplier.' })),
    dryRun: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type StatementRunInput = Static<typeof StatementRunBody>;
/** The outcome for one supplier. */
export type StatementRunResult = {
  readonly kind: 'line';
  readonly outcome: 'due' | 'issued' | 'exists';
  readonly supplier: string;
  readonly supplierName: string;
  /** Characters of the name or address that the PDF cannot show; empty for none. */
  readonly unprintable: string;
  readonly number: string | null;
  readonly carried: number;
  readonly earned: number;
  readonly clawedBack: number;
  readonly paidOut: number;
  readonly total: number;
  readonly payable: number;
};
export type StatementRunEnd = {
  readonly kind: 'end';
  /** False if the service stopped during the run. */
  readonly isWhole: boolean;
  readonly suppliers: number;
  /** Statements that the run issued, or would issue. */
  readonly statements: number;
  readonly existed: number;
  readonly earned: number;
  readonly payable: number;
};
export type StatementRunLine =
  | StatementRunResult
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | StatementRunEnd;

export const PayoutsQuery = Type.Object({
  supplier: Type.Optional(SupplierKey),
  sort: Type.Optional(
    Type.Enum([...payoutOrders], {
      default: '-recorded',
      description: 'By time of recording or amount; `-` begins with the latest or highest.',
    }),
  ),
  page,
  pageSize,
});
export type PayoutsQuery = Static<typeof PayoutsQuery>;
const listedPayout = { ...payout, supplier: text, supplierName: text, balanceAfter: amount };
export const PayoutListSchema = Type.Object({
  ...pageOf(Type.Object(listedPayout)).properties,
  currency: text,
});
export type PayoutList = Static<typeof PayoutListSchema>;
export const RecordedPayoutSchema = Type.Object(listedPayout);
export type RecordedPayout = Static<typeof RecordedPayoutSchema>;

export const AdjustmentBody = Type.Object(
  {
    supplier: SupplierKey,
    amount: Type.Number({ description: 'Not 0; above 0 is owed in addition.' }),
    description: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\p{Cc}]*$',
      description: 'One line, shown to the supplier.',
    }),
  },
  { additionalProperties: false },
);
export type NewAdjustment = Static<typeof AdjustmentBody>;
export const AdjustmentSchema = Type.Object({
  ...{ entryId: text, supplier: text, amount, balanceBefore: amount, balanceAfter: amount, description: text },
  createdAt: time,
});
export type Adjustment = Static<typeof AdjustmentSchema>;

export const PayoutBody = Type.Object(
  {
    supplier: SupplierKey,
    amount: Type.Number({ description: 'Above 0, and at most the balance.' }),
    reference: Type.String({
      minLength: 1,
      maxLength: PAYOUT_REFERENCE_MAX,
      pattern: '^[^\\p{Cc}]*$',
      description: 'What the bank’s statement says; one payout per supplier and reference.',
    }),
  },
  { additionalProperties: false },
);
export type NewPayout = Static<typeof PayoutBody>;
