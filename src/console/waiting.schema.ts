// How much work waits for operators, as the console's menu shows it.
import { type Static, Type } from 'typebox';

const Count = Type.Integer({ minimum: 0, description: 'Counted up to 10000.' });

export const WaitingSchema = Type.Object({
  /** Claims that are not decided. */
  claims: Count,
  /** Jobs that failed for good and were not retried. */
  failures: Count,
});
export type Waiting = Static<typeof WaitingSchema>;
