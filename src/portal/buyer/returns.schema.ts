// Returns of several deliveries at once: what may be filed, the request, and one result for each delivery.
import { type Static, Type } from 'typebox';

import { STATEMENT_LENGTH_MAX } from '../../claims/claim-body.rules.ts';
import { RETURNS_AT_ONCE } from '../../claims/filing.rules.ts';
import { reasonCodes } from '../../claims/reason.rules.ts';
import { orNull } from '../../platform/http/values.schema.ts';
import { capMembers, FilingSchema } from './filing.schema.ts';

const deliveryIds = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: RETURNS_AT_ONCE,
  uniqueItems: true,
});

export const PreviewReturnsSchema = Type.Object({ deliveryIds }, { additionalProperties: false });
export type PreviewReturns = Static<typeof PreviewReturnsSchema>;

/** In the order of the request; deliveries that do not exist are missing. */
export const ReturnsPreviewSchema = Type.Object({ data: Type.Array(FilingSchema) });
export type ReturnsPreview = Static<typeof ReturnsPreviewSchema>;

export const FileReturnsSchema = Type.Object(
  {
    deliveryIds,
    reason: Type.Enum([...reasonCodes]),
    proof: orNull(Type.String({ maxLength: STATEMENT_LENGTH_MAX })),
  },
  { additionalProperties: false },
);
export type FileReturns = Static<typeof FileReturnsSchema>;

export const FiledReturnsSchema = Type.Object({
  /** In the order of the request. */
  results: Type.Array(
    Type.Object({
      deliveryId: Type.String(),
      /** Null if it was refused. */
      returnId: orNull(Type.String()),
      refusal: orNull(Type.Object({ code: Type.String(), meaning: Type.String(), remedy: Type.String() })),
    }),
  ),
  /** The caps of the months of these deliveries, after filing. */
  caps: Type.Array(Type.Object({ eventType: Type.String(), ...capMembers })),
});
export type FiledReturns = Static<typeof FiledReturnsSchema>;
