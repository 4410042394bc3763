// The console's work on a partner's custom webhook: preview, test, and named secrets (contract 13.3).
import { Type } from 'typebox';

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

export const WebhookPreviewSchema = Type.Object({
  request: orNull(
    Type.Object({
      method: Type.String(),
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: orNull(Type.String()),
    }),
  ),
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

export const WebhookTestBodySchema = Type.Object({ target: Type.Enum(['webhook']) }, { additionalProperties: false });

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
});

export const SecretParams = Type.Object({ ownerKey: Type.String(), name: Type.String() });

export const NewSecretSchema = Type.Object(
  { name: Type.String(), value: Type.String({ maxLength: 4_000, description: 'Never shown again' }) },
  { additionalProperties: false },
);

export const SetSecretSchema = Type.Object({ name: Type.String(), isNew: Type.Boolean() });

export const SecretsSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      createdAt: Type.String(),
      updatedAt: Type.String(),
      isReadable: Type.Boolean({ description: 'Whether this process has the key that sealed it' }),
    }),
  ),
});

export const RemovedSecretSchema = Type.Object({ name: Type.String() });
