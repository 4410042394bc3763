// What one submission earned: a line for each sale that was paid for and each return that was taken back.
import { type Static, Type } from 'typebox';

import { lineKinds } from '../../statements/statement.ts';

export const SubmissionEarningsSchema = Type.Object({
  currency: Type.String(),
  /** The sum of the lines. */
  total: Type.Number(),
  /** Oldest first. */
  lines: Type.Array(
    Type.Object({
      at: Type.String(),
      kind: Type.Enum([...lineKinds]),
      /** Below 0 if it was taken back. */
      amount: Type.Number(),
    }),
  ),
});
export type SubmissionEarnings = Static<typeof SubmissionEarningsSchema>;
