// The monthly runs that happen by themselves, on the operator's console (contract 6.20).
import { type Static, Type } from 'typebox';
import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const count = Type.Integer({ minimum: 0 });

const Routine = Type.Object({
  kind: Type.Enum(['invoices', 'statements']),
  isOn: Type.Boolean(),
  /** The first month that is billed by itself; null before the first look. */
  coveredFrom: orNull(text),
  /** A day, which each partner's time zone begins by itself. */
  nextRun: orNull(text),
  /** Newest month first. */
  runs: Type.Array(
    Type.Object({
      month: text,
      startedAt: time,
      completedAt: orNull(time),
      issued: count,
      existed: count,
      none: count,
      failed: count,
    }),
  ),
  failures: Type.Array(Type.Object({ month: text, owner: text, error: text, at: time })),
});

export const BillingRunsSchema = Type.Object({ runOn: count, routines: Type.Array(Routine) });
export type BillingRuns = Static<typeof BillingRunsSchema>;
