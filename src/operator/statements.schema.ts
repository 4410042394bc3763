// Statements and payouts of suppliers in the operator's API (contract 10.5, 11.3).
import { Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const amount = Type.Number();
const time = Type.String({ format: 'date-time' });
const after = Type.Optional(
  Type.String({ maxLength: 64, description: 'The `next` of the response before: the page that follows it.' }),
);
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'The number of rows at most.' }),
);
const supplier = Type.Optional(Type.String({ maxLength: 63, description: 'Only of this supplier.' }));

export const StatementsQuery = Type.Object({
  supplier,
  month: Type.Optional(Type.String({ pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$', description: 'Only of this month.' })),
  after,
  limit,
});
export const PayoutsQuery = Type.Object({ supplier, after, limit });

const StatementSchema = Type.Object({
  ...{ statementId: text, number: text, supplier: text, month: text, timeZone: text },
  ...{ periodStart: time, periodEnd: time, currency: text, carried: amount, leads: Type.Integer() },
  ...{ earned: amount, clawedBack: amount, paidOut: amount, adjusted: amount, total: amount },
  ...{ held: amount, payable: amount, issuedAt: time },
});
export const StatementsSchema = Type.Object(
  { data: Type.Array(StatementSchema), next: orNull(text) },
  { description: 'A page of statements.' },
);

const PayoutSchema = Type.Object({
  ...{ payoutId: text, supplier: text, reference: text, amount, balanceAfter: amount, recordedAt: time },
});
export const PayoutsSchema = Type.Object(
  { data: Type.Array(PayoutSchema), next: orNull(text) },
  { description: 'A page of payouts.' },
);
export const RecordedPayoutSchema = Type.Object(PayoutSchema.properties, { description: 'The payout.' });

export const PayoutBody = Type.Object(
  {
    supplier: Type.String({ minLength: 1, maxLength: 63, description: 'The key of the supplier.' }),
    amount: Type.Number({ description: 'Above 0, and at most the balance.' }),
    reference: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\p{Cc}]*$',
      description: 'What the bank’s statement says; one payout per supplier and reference.',
    }),
  },
  { additionalProperties: false },
);
export const StatementParams = Type.Object({
  statementId: Type.String({ description: 'The number (`ST-…`) or id (`stm_…`) of a statement.' }),
});
