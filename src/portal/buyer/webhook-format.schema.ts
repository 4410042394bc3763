// The format of a partner's webhook in the portal (contract 13.6).
import { type Static, Type } from 'typebox';

import { JsonValueSchema, orNull } from '../../platform/http/values.schema.ts';

/** As in the marketplace file, with all members; null for the standard format. */
const format = orNull(Type.Record(Type.String(), JsonValueSchema));

/** The longest template, written as JSON, and as many headers and rules as a format may have. */
export const FORMAT_BYTES = 500_000;

export const WebhookFormatSchema = Type.Object({
  format,
  /** Whether the operator lets the partner change it. */
  isEditable: Type.Boolean(),
  /** Changes with the format, and with nothing else: the version of the whole configuration would tell what others do. */
  version: Type.String(),
});
export type ShownWebhookFormat = Static<typeof WebhookFormatSchema>;

export const WebhookFormatChangeSchema = Type.Object(
  { format, version: Type.String({ maxLength: 100 }) },
  { additionalProperties: false },
);
export type WebhookFormatChange = Static<typeof WebhookFormatChangeSchema>;
