// How far a new marketplace is set up, as the console's guide shows it.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

export const FirstStepsSchema = Type.Object({
  /** Some delivery was confirmed: the guide has done its work, and the steps are not read any more. */
  isDone: Type.Boolean(),
  steps: orNull(
    Type.Object({
      /** Keys of what the guide goes on with; null where there is none yet. */
      partner: orNull(Type.String()),
      offer: orNull(Type.String()),
      supplier: orNull(Type.String()),
      hasChannel: Type.Boolean(),
      /** The partner's endpoint has accepted a test. */
      isTested: Type.Boolean(),
      hasMapping: Type.Boolean(),
      hasKey: Type.Boolean(),
      hasLead: Type.Boolean(),
    }),
  ),
});
export type FirstSteps = Static<typeof FirstStepsSchema>;
