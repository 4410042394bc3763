// A test delivery in the portal: the result, and the exact request.
import { type Static, Type } from 'typebox';

import { orNull } from '../../platform/http/values.schema.ts';
import { ruleSchema } from '../../scopes/webhook-trial.schema.ts';

const RequestSchema = Type.Object({
  method: Type.String(),
  /** Null if none is set. */
  url: orNull(Type.String()),
  /** Without standard HTTP headers. A preview is not signed: values that depend on the time of sending are null. */
  headers: Type.Array(Type.Object({ name: Type.String(), value: orNull(Type.String()) })),
  /** The exact text; of the standard format it is what was signed. */
  body: orNull(Type.String()),
  /** False in the partner's own format, which has secrets instead; these are hidden. */
  isSigned: Type.Boolean(),
});
export type TestRequest = Static<typeof RequestSchema>;

const common = {
  test: Type.Literal(true),
  billable: Type.Literal(false),
  /** Null if the partner's own format makes none, for the reason in `error`. */
  request: orNull(RequestSchema),
  error: orNull(Type.String()),
};

export const TestDeliverySchema = Type.Union([
  Type.Object({ target: Type.Literal('preview'), ...common }),
  Type.Object({
    target: Type.Literal('webhook'),
    ...common,
    delivered: Type.Boolean(),
    responseCode: orNull(Type.Integer()),
    responseSnippet: orNull(Type.String()),
    latencyMs: Type.Integer(),
    attemptId: Type.String(),
    /** Also null in the standard format, which has no rules. */
    rule: ruleSchema,
  }),
]);
export type TestDelivery = Static<typeof TestDeliverySchema>;
