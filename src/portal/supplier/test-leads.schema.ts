// A test lead that a supplier posts from the portal: the response, and the routing decision.
import { type Static, Type } from 'typebox';

import { TEXTS_AS_SENT } from '../../platform/http/keywords.schema.ts';
import { JsonValueSchema, orNull } from '../../platform/http/values.schema.ts';
import { ReasonsSchema } from './submissions.schema.ts';

const Text = Type.String();
const MaybeText = orNull(Text);

export const TestLeadSchema = Type.Object(
  { lead: Type.Record(Text, JsonValueSchema) },
  { additionalProperties: false, [TEXTS_AS_SENT]: true },
);
export type TestLead = Static<typeof TestLeadSchema>;

export const TestLeadResponseSchema = Type.Object({
  status: Type.Integer(),
  body: Text,
  isRepeat: Type.Boolean(),
  leadId: MaybeText,
});
export type TestLeadResponse = Static<typeof TestLeadResponseSchema>;

export const TestLeadDecisionSchema = Type.Object({
  leadId: Text,
  externalId: MaybeText,
  receivedAt: Text,
  isDecided: Type.Boolean(),
  decidedAt: MaybeText,
  status: Text,
  statusMeaning: Text,
  score: orNull(Type.Integer()),
  reasons: ReasonsSchema,
  lacking: Type.Array(Text),
});
export type TestLeadDecision = Static<typeof TestLeadDecisionSchema>;
