// The console's log of messages: attempts at all partners, one attempt in detail, and its request (contract 7.8).
import { type Static, Type } from 'typebox';

import { messageOutcomes } from '../deliveries/message-outcome.rules.ts';
import { orNull } from '../platform/http/values.schema.ts';
import { RequestSchema } from '../scopes/webhook-trial.schema.ts';

const Text = Type.String();
const Time = Type.String({ format: 'date-time' });
const Key = Type.String({ maxLength: 63 });

const filters = {
  partner: Type.Optional(Key),
  channel: Type.Optional(Key),
  outcome: Type.Optional(Type.Enum([...messageOutcomes])),
  /** A code, a class such as `5xx`, or `none`. */
  status: Type.Optional(Type.String({ pattern: '^(none|[1-5]xx|[1-5][0-9][0-9])$' })),
  type: Type.Optional(Key),
  /** The id or reference of a delivery, or the id of a lead. */
  about: Type.Optional(Type.String({ maxLength: 100 })),
  /** from ≤ begun < to. */
  from: Type.Optional(Time),
  to: Type.Optional(Time),
};
/** The filters alone. */
export const MessageFiltersSchema = Type.Object(filters);
export type MessageFilters = Static<typeof MessageFiltersSchema>;

export const MessagesQuerySchema = Type.Object({
  ...filters,
  /** The last attempt of the page before, in either order. */
  before: Type.Optional(Type.String({ maxLength: 64 })),
  sort: Type.Optional(Type.Enum(['-at', 'at'], { default: '-at' })),
});
export type MessagesQuery = Static<typeof MessagesQuerySchema>;

const members = {
  attemptId: Text,
  at: Time,
  /** `lead.delivered`, `lead.test` or the type of another message. */
  type: Text,
  partner: Text,
  partnerName: Text,
  channel: Text,
  /** Shortened for display. */
  target: Text,
  deliveryId: orNull(Text),
  deliveryRef: orNull(Text),
  leadId: orNull(Text),
  attempt: Type.Integer(),
  outcome: Type.Enum([...messageOutcomes]),
  responseCode: orNull(Type.Integer()),
  latencyMs: orNull(Type.Integer()),
  error: orNull(Text),
  nextAttemptAt: orNull(Time),
};

const MessageSchema = Type.Object(members);
export type Message = Static<typeof MessageSchema>;

export const MessagesSchema = Type.Object({
  data: Type.Array(MessageSchema),
  /** `before` for the next page; null at the end. */
  next: orNull(Text),
  /** Attempts before this time, or after it if the oldest come first, were not searched; null if all were. */
  backTo: orNull(Time),
});
export type Messages = Static<typeof MessagesSchema>;

export const AttemptParams = Type.Object({ attemptId: Text });

/** Why a delivery cannot be sent again. */
const Refusal = Type.Enum([
  'delivery_not_found',
  'delivery_not_redeliverable',
  'webhook_not_configured',
  'endpoint_disabled',
]);

export const MessageDetailSchema = Type.Object({
  ...members,
  responseSnippet: orNull(Text),
  /** The status of the delivery now. */
  deliveryStatus: orNull(Type.Enum(['Pending', 'Confirmed', 'Failed', 'Returned'])),
  /** Null for messages about no delivery, and for a delivery that can be sent again. */
  refusal: orNull(Refusal),
});
export type MessageDetail = Static<typeof MessageDetailSchema>;

export const SentRequestSchema = Type.Object({
  /** For the record of who read it; null for a message about no lead. */
  leadId: orNull(Text),
  request: orNull(RequestSchema),
  isStandard: Type.Boolean(),
  /** Why there is no request. */
  why: orNull(Type.Enum(['test', 'not_a_lead', 'other_channel', 'erased', 'no_url', 'format'])),
  error: orNull(Text),
});
export type SentRequest = Static<typeof SentRequestSchema>;
