// The console's work on a partner's custom webhook: test, and named secrets (contract 13.3).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';
import { RequestSchema, ruleSchema } from '../scopes/webhook-trial.schema.ts';

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
  rule: ruleSchema,
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

export const RemovedSecretSchema = Type.Object({ name: Type.String() });
export type RemovedSecret = Static<typeof RemovedSecretSchema>;
