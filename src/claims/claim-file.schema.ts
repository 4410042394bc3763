// Files of a claim, as the portal and the console list them.
import { type Static, Type } from 'typebox';

import { fileTypes } from './claim-file.rules.ts';

export const ClaimFilesSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.Enum([...fileTypes]),
      bytes: Type.Integer(),
      addedAt: Type.String({ format: 'date-time' }),
    }),
  ),
});
export type ClaimFiles = Static<typeof ClaimFilesSchema>;

export const ClaimFileQuerySchema = Type.Object({
  /** As the sender names it; only its last part is kept. */
  name: Type.Optional(Type.String({ maxLength: 1000 })),
});
