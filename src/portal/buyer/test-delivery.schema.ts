// A test delivery in the portal: the result, and the exact request.
import { type Static, Type } from 'typebox';

import { orNull } from '../../platform/http/values.schema.ts';

const RequestSchema = Type.Object({
  method: Type.Literal('POST'),
  /** Null if none is set. */
  url: orNull(Type.String()),
  /** Without standard HTTP headers. A preview is not signed: values that depend on the time of sending are null. */
  headers: Type.Array(Type.Object({ name: Type.String(), value: orNull(Type.String()) })),
  /** The exact text that was signed. */
  body: Type.String(),
});
export type TestRequest = Static<typeof RequestSchema>;

const common = { test: Type.Literal(true), billable: Type.Literal(false) };

export const TestDeliverySchema = Type.Union([
  Type.Object({ target: Type.Literal('preview'), ...common, request: RequestSchema }),
  Type.Object({
    target: Type.Literal('webhook'),
    ...common,
    delivered: Type.Boolean(),
    responseCode: orNull(Type.Integer()),
    responseSnippet: orNull(Type.String()),
    latencyMs: Type.Integer(),
    error: orNull(Type.String()),
    attemptId: Type.String(),
    request: RequestSchema,
  }),
]);
export type TestDelivery = Static<typeof TestDeliverySchema>;
