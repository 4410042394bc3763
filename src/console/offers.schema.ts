// Offers in the console: as in the marketplace file, with sales figures and current usage.
import { type Static, Type } from 'typebox';

import { shown } from '../marketplace/configured-form.rules.ts';
import { pagedQuery, pageOf } from '../platform/http/list.schema.ts';
import { orNull } from '../platform/http/values.schema.ts';
import { OwnLimitsSchema } from '../routing/own-limits.schema.ts';
import { OfferSchema, offerStatuses } from '../routing/offer.schema.ts';

const FiguresSchema = Type.Object({
  sold: Type.Integer(),
  revenue: Type.Number(),
  returned: Type.Integer(),
  failed: Type.Integer(),
});
const UseSchema = Type.Object({
  limit: orNull(Type.Integer()),
  used: Type.Integer(),
  budget: orNull(Type.Number()),
  spent: Type.Number(),
  resetsAt: Type.String(),
});
const OfferUsageSchema = Type.Object({
  state: Type.Enum(['active', 'paused', 'capped', 'closed']),
  windows: Type.Object({ daily: UseSchema, weekly: UseSchema, monthly: UseSchema }),
});
export type OfferUsage = Static<typeof OfferUsageSchema>;

const Time = Type.String({ format: 'date-time' });
const FormSchema = Type.Object({
  ...shown(OfferSchema).properties,
  partner: Type.String(),
  /** What the partner limits further by itself. */
  ownLimits: orNull(OwnLimitsSchema),
  /** While it is paused because its partner rejected many leads of a day. */
  rejectionsPause: orNull(Type.Object({ since: Time, until: Time })),
});
export type OfferOnConsole = Static<typeof FormSchema>;

export const OffersQuerySchema = Type.Object({
  ...pagedQuery,
  status: Type.Optional(Type.Enum([...offerStatuses])),
  partner: Type.Optional(Type.String({ maxLength: 63 })),
});
export type OffersQuery = Static<typeof OffersQuerySchema>;

const RowSchema = Type.Object({ ...FormSchema.properties, figures: FiguresSchema });
export type OfferRow = Static<typeof RowSchema>;
export const OffersSchema = pageOf(RowSchema);
export type Offers = Static<typeof OffersSchema>;

export const OfferParams = Type.Object({ offerKey: Type.String() });
export const ShownOfferSchema = Type.Object({
  version: Type.Integer(),
  offer: FormSchema,
  /** The time zone of its hours and windows. */
  timeZone: Type.String(),
  figures: FiguresSchema,
  usage: OfferUsageSchema,
});
export type ShownOffer = Static<typeof ShownOfferSchema>;

export const OfferPricesSchema = Type.Object({
  /** Before the oldest of the changes; the price of today if there are none. */
  priceBefore: Type.Number(),
  /** The latest changes, the last first. */
  changes: Type.Array(
    Type.Object({
      at: Time,
      from: Type.Number(),
      to: Type.Number(),
      /** Null where the audit trail has no record. */
      actor: orNull(Type.Object({ type: Type.String(), name: Type.String() })),
    }),
  ),
});
export type OfferPrices = Static<typeof OfferPricesSchema>;
