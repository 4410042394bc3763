// The estimate of the leads that an offer would see, while its form is edited.
import { type Static, Type } from 'typebox';

import { shown } from '../marketplace/configured-form.rules.ts';
import { orNull } from '../platform/http/values.schema.ts';
import { OfferSchema } from '../routing/offer.schema.ts';

const Key = Type.String({ maxLength: 63 });

export const OfferEstimateBody = Type.Object({
  /** Null for a new offer. */
  offer: orNull(Key),
  vertical: orNull(Key),
  /** Null while none is entered. */
  price: orNull(Type.Number({ minimum: 0, maximum: 1_000_000_000 })),
  filters: shown(OfferSchema.properties.filters),
});
export type OfferEstimateInput = Static<typeof OfferEstimateBody>;

export const OfferEstimateSchema = Type.Object({
  /** The latest leads that the filters were compared with, at most 2,000, and the days in which they were received, at most 28. */
  leads: Type.Integer(),
  days: Type.Number(),
  /** Leads a week. */
  weekly: Type.Object({
    matching: Type.Number(),
    /** Sold to the offer itself. */
    bought: Type.Number(),
    /** Without a buyer, or sold to other offers for less than the price; null without a price. */
    winnable: orNull(Type.Number()),
  }),
});
export type OfferEstimate = Static<typeof OfferEstimateSchema>;
