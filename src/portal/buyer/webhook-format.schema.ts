// The format of a partner's webhook in the portal (contract 13.6).
import { type Static, Type } from 'typebox';

import { JsonValueSchema, orNull } from '../../platform/http/values.schema.ts';

/** As in the marketplace file, with all members; null for the standard format. */
const format = orNull(Type.Record(Type.String(), JsonValueSchema));

export const WebhookFormatSchema = Type.Object({
  format,
  /** Whether the operator lets the partner change it. */
  isEditable: Type.Boolean(),
  /** Of the configuration that it was read from. */
  version: Type.Integer(),
});
export type ShownWebhookFormat = Static<typeof WebhookFormatSchema>;

export const WebhookFormatChangeSchema = Type.Object(
  { format, version: Type.Integer({ minimum: 0 }) },
  { additionalProperties: false },
);
export type WebhookFormatChange = Static<typeof WebhookFormatChangeSchema>;
