// The name of a warning that an operator acknowledges.
import { type Static, Type } from 'typebox';

export const WarningNameSchema = Type.Object(
  { kind: Type.String({ pattern: '^[a-z_]{1,40}$' }), subject: Type.String({ maxLength: 200 }) },
  { additionalProperties: false },
);
export type WarningName = Static<typeof WarningNameSchema>;
