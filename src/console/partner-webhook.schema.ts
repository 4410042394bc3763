// The console's work on a partner's custom webhook: preview, test, and named secrets (contract 13.3).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

export const PreviewBodySchema = Type.Object(
  {
    webhook: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'A format that is not saved yet; the saved one if left out' },
      ),
    ),
  },
  { additionalProperties: false },
);

export type PreviewBody = Static<typeof PreviewBodySchema>;

const RequestSchema = Type.Object({
  method: Type.String(),
  url: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  body: orNull(Type.String()),
});
export type ShownRequest = Static<typeof RequestSchema>;

export const WebhookPreviewSchema = Type.Object({
  request: orNull(RequestSchema),
  error: orNull(Type.String()),
  faults: Type.Array(
    Type.Object({
      path: Type.String(),
      message: Type.String(),
      line: orNull(Type.Integer()),
      column: orNull(Type.Integer()),
    }),
  ),
});

export type WebhookPreview = Static<typeof WebhookPreviewSchema>;

export const WebhookTestBodySchema = Type.Object({ target: Type.Enum(['webhook']) }, { additionalProperties: false });
export type WebhookTestBody = Static<typeof WebhookTestBodySchema>;

/** The partner’s own test has these members as well (contract 6.14). */
export const WebhookTestSchema = Type.Object({
  target: Type.String(),
  test: Type.Boolean(),
  billable: Type.Boolean(),
  delivered: Type.Boolean(),
  responseCode: orNull(Type.Integer()),
  responseSnippet: orNull(Type.String()),
  latencyMs: Type.Integer(),
  error: orNull(Type.String()),
  attemptId: Type.String(),
  request: orNull(
    Type.Object(RequestSchema.properties, {
      description: 'As it was sent, with secrets hidden; null in the standard format',
    }),
  ),
  rule: orNull(Type.Integer({ description: 'The rule that read the response, from 0; null if none matched' })),
});
export type WebhookTest = Static<typeof WebhookTestSchema>;

export const SecretParams = Type.Object({ ownerKey: Type.String(), name: Type.String() });

export const NewSecretSchema = Type.Object(
  { name: Type.String(), value: Type.String({ maxLength: 4_000, description: 'Never shown again' }) },
  { additionalProperties: false },
);

export type NewSecret = Static<typeof NewSecretSchema>;

export const SetSecretSchema = Type.Object({ name: Type.String(), isNew: Type.Boolean() });
export type SetSecret = Static<typeof SetSecretSchema>;

const ListedSecretSchema = Type.Object({
  name: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  isReadable: Type.Boolean({ description: 'Whether this process has the key that sealed it' }),
});
export type ListedSecret = Static<typeof ListedSecretSchema>;
export const SecretsSchema = Type.Object({ data: Type.Array(ListedSecretSchema) });
export type Secrets = Static<typeof SecretsSchema>;

export const RemovedSecretSchema = Type.Object({ name: Type.String() });
export type RemovedSecret = Static<typeof RemovedSecretSchema>;
