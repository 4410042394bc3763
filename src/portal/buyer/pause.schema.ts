// A partner's own pause of receiving leads.
import { type Static, Type } from 'typebox';

import { orNull } from '../../platform/http/values.schema.ts';

const instant = Type.String({ format: 'date-time' });

export const NewPauseBody = Type.Object({
  /** Leads come again from the start of this day in the account's time zone; null: until the partner resumes. */
  untilDay: orNull(Type.String({ format: 'date' })),
});
export type NewPause = Static<typeof NewPauseBody>;

export const PauseSchema = Type.Object({
  pause: orNull(Type.Object({ since: instant, until: orNull(instant) })),
});
export type PauseState = Static<typeof PauseSchema>;
