// Failed deliveries in the operator's console, and the result of sending them again (contract 7.7).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });

const filters = {
  partner: Type.Optional(Type.String({ maxLength: 63 })),
  vertical: Type.Optional(Type.String({ maxLength: 63 })),
};
/** The filters alone. */
export const FailedFiltersSchema = Type.Object(filters);
export type FailedFilters = Static<typeof FailedFiltersSchema>;

export const FailedDeliveriesQuerySchema = Type.Object({
  ...filters,
  after: Type.Optional(Type.String({ maxLength: 64 })),
  sort: Type.Optional(
    Type.Enum(['-failed', 'failed'], {
      default: '-failed',
      description: 'By the time of failure; `-` begins with the latest.',
    }),
  ),
});
export type FailedDeliveriesQuery = Static<typeof FailedDeliveriesQuerySchema>;

/** Why a delivery cannot be sent again. */
const Refusal = Type.Enum([
  'delivery_not_found',
  'delivery_not_redeliverable',
  'webhook_not_configured',
  'endpoint_disabled',
]);
export type RetryRefusal = Static<typeof Refusal>;

const FailedSchema = Type.Object({
  deliveryId: text,
  deliveryRef: text,
  leadId: text,
  partner: text,
  partnerName: text,
  offer: text,
  /** The name of the lead's vertical. */
  vertical: orNull(text),
  payout: Type.Number(),
  channel: orNull(text),
  deliveredAt: time,
  failedAt: time,
  mayHaveArrived: Type.Boolean(),
  lastAttemptAt: orNull(time),
  reason: orNull(text),
  retryStatus: Type.Enum(['failed', 'queued', 'again']),
  /** What can be set as the price, of a lead that the partner took without one that counts; null for others. */
  prices: orNull(Type.Object({ min: Type.Number(), max: Type.Number() })),
  refusal: orNull(Refusal),
});
export type FailedDelivery = Static<typeof FailedSchema>;

const GroupSchema = Type.Object({
  partner: text,
  partnerName: text,
  channel: orNull(text),
  reason: orNull(text),
  deliveries: Type.Integer(),
  latestAt: time,
});
export type FailedGroup = Static<typeof GroupSchema>;

export const FailedDeliveriesSchema = Type.Object({
  currency: text,
  data: Type.Array(FailedSchema),
  next: orNull(text),
  /** Groups of the latest failures of all partners; with the first page only. */
  groups: Type.Array(GroupSchema),
});
export type FailedDeliveries = Static<typeof FailedDeliveriesSchema>;

export const QueuedSchema = Type.Object({ deliveryId: text, deliveryRef: text, status: text, queued: Type.Boolean() });
export type Queued = Static<typeof QueuedSchema>;

export const PriceBody = Type.Object(
  { price: Type.Number({ description: 'Within the bounds of the sale, with two decimals at most.' }) },
  { additionalProperties: false },
);
export type Price = Static<typeof PriceBody>;
export const PricedSchema = Type.Object({ deliveryId: text, deliveryRef: text, partner: text, price: Type.Number() });
export type Priced = Static<typeof PricedSchema>;

export const RetryDeliveriesBody = Type.Object({
  partner: Type.String({ maxLength: 63 }),
  /** Filters by the outcome of the last attempt. */
  reason: Type.Optional(Type.String({ maxLength: 2000 })),
});
export type RetryDeliveries = Static<typeof RetryDeliveriesBody>;

export const QueuedManySchema = Type.Object({
  queued: Type.Integer(),
  skipped: Type.Array(Type.Object({ reason: Refusal, deliveries: Type.Integer() })),
  isMore: Type.Boolean(),
});
export type QueuedMany = Static<typeof QueuedManySchema>;
