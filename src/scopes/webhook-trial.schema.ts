// Trying out the format of a partner's webhook, in the console, in the operator's API and in the portal: preview, latest responses, and the
// names of secrets (contract 13.3, 13.6).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const stated = {
  webhook: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: true, description: 'A format that is not saved yet; the saved one if left out' },
    ),
  ),
};

export const PreviewBodySchema = Type.Object(stated, { additionalProperties: false });
export type PreviewBody = Static<typeof PreviewBodySchema>;

export const DeliveryPreviewBodySchema = Type.Object(
  { deliveryId: Type.String({ maxLength: 100, description: 'A delivery of the partner (`dlv_…`)' }), ...stated },
  { additionalProperties: false },
);
export type DeliveryPreviewBody = Static<typeof DeliveryPreviewBodySchema>;

export const RequestSchema = Type.Object({
  method: text,
  url: text,
  headers: Type.Record(Type.String(), Type.String()),
  body: orNull(Type.String()),
});
export type ShownRequest = Static<typeof RequestSchema>;

const preview = {
  request: orNull(RequestSchema),
  error: orNull(Type.String()),
  faults: Type.Array(
    Type.Object({
      path: text,
      message: text,
      line: orNull(Type.Integer()),
      column: orNull(Type.Integer()),
    }),
  ),
};
export const WebhookPreviewSchema = Type.Object(preview);
export type WebhookPreview = Static<typeof WebhookPreviewSchema>;

export const DeliveryPreviewSchema = Type.Object({ ...preview, leadId: text });
export type DeliveryPreview = Static<typeof DeliveryPreviewSchema>;

export const ruleSchema = orNull(
  Type.Integer({ description: 'The rule that read the response, from 0; null if none matched' }),
);

const response = {
  attemptId: text,
  at: text,
  test: Type.Boolean(),
  state: text,
  deliveryId: orNull(Type.String({ description: 'Null for a test' })),
  deliveryRef: orNull(Type.String()),
  responseCode: orNull(Type.Integer()),
  responseSnippet: orNull(Type.String({ description: 'The beginning, with secrets hidden' })),
  error: orNull(Type.String()),
  rule: ruleSchema,
  isCurrent: Type.Boolean({ description: 'Whether the format is still the one by whose rules it was read' }),
};
export const WebhookResponsesSchema = Type.Object({
  data: Type.Array(Type.Object(response), { description: 'Newest first, at most 20' }),
});
export type WebhookResponses = Static<typeof WebhookResponsesSchema>;
export type WebhookResponse = WebhookResponses['data'][number];

/** With the lead, whose personal data a response may quote. */
export const LeadResponsesSchema = Type.Object({
  data: Type.Array(Type.Object({ ...response, leadId: orNull(Type.String({ description: 'Null for a test' })) }), {
    description: 'Newest first, at most 20',
  }),
});
export type LeadResponses = Static<typeof LeadResponsesSchema>;

const ListedSecretSchema = Type.Object({
  name: text,
  createdAt: text,
  updatedAt: text,
  isReadable: Type.Boolean({ description: 'Whether this process has the key that sealed it' }),
});
export type ListedSecret = Static<typeof ListedSecretSchema>;
export const SecretsSchema = Type.Object({ data: Type.Array(ListedSecretSchema) });
export type Secrets = Static<typeof SecretsSchema>;
