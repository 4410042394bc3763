// What partners' systems said about leads, and the pauses that follow, in the console (contract 13.7).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const Time = Type.String({ format: 'date-time' });

const ShareSchema = Type.Object({
  /** Confirmed, rejected and duplicate deliveries, by the time at which that was known. */
  responses: Type.Integer(),
  rejected: Type.Integer(),
  duplicates: Type.Integer(),
  /** Of the responses, from 0 to 1; null without any. */
  rejectedRate: orNull(Type.Number()),
  duplicateRate: orNull(Type.Number()),
});
export type ResponseShare = Static<typeof ShareSchema>;

/** Days of the partner's time zone; today is the last of each. */
const shares = { today: ShareSchema, last7Days: ShareSchema, last30Days: ShareSchema };

export const PartnerResponsesSchema = Type.Object({
  timeZone: Type.String(),
  total: Type.Object(shares),
  /** Offers with a response in 30 days. */
  offers: Type.Array(Type.Object({ offer: Type.String(), name: Type.String(), ...shares })),
});
export type PartnerResponses = Static<typeof PartnerResponsesSchema>;

export const OfferResponsesSchema = Type.Object({
  timeZone: Type.String(),
  ...shares,
  /** When the offer pauses: above this share of at least so many responses of a day; null if it never does. */
  rule: orNull(Type.Object({ abovePercent: Type.Integer(), responses: Type.Integer() })),
  /** While it is paused. */
  pause: orNull(Type.Object({ since: Time, until: Time })),
});
export type OfferResponses = Static<typeof OfferResponsesSchema>;

export const PartnerKeyParams = Type.Object({ ownerKey: Type.String() });
export const OfferKeyParams = Type.Object({ key: Type.String() });

export const LiftedPauseSchema = Type.Object({ offer: Type.String(), wasPaused: Type.Boolean() });
export type LiftedPause = Static<typeof LiftedPauseSchema>;
