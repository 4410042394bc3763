// Request and response of setting up a second factor (decision 030).
import { type Static, Type } from 'typebox';

/** For an authenticator app; the URI contains the secret. */
export const NewSecondFactorSchema = Type.Object({ secret: Type.String(), uri: Type.String() });
export type NewSecondFactor = Static<typeof NewSecondFactorSchema>;

export const CodeBody = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 20 }) },
  { additionalProperties: false },
);
export type Code = Static<typeof CodeBody>;
