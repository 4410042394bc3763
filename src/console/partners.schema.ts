// Partners in the console: as in the marketplace file, with their figures.
import { type Static, Type } from 'typebox';

import { buyerStatuses, PartnerSchema } from '../buyers/partner.schema.ts';
import { shown } from '../marketplace/configured-form.rules.ts';
import { pagedQuery, pageOf } from '../platform/http/list.schema.ts';
import { orNull } from '../platform/http/values.schema.ts';
import { partnerOrders } from '../reports/account-list-order.rules.ts';

const StatusSchema = Type.Enum([...buyerStatuses]);
const FiguresSchema = Type.Object({
  sold: Type.Integer(),
  revenue: Type.Number(),
  returned: Type.Integer(),
  failed: Type.Integer(),
  offers: Type.Integer(),
  activeOffers: Type.Integer(),
});
const { key, name, status, timeZone, channels, billing, ...more } = shown(PartnerSchema).properties;
const pauses = {
  endpointDisabledAt: orNull(Type.String()),
  /** Since when the offers are paused for low funds. */
  fundsPausedAt: orNull(Type.String()),
  /** The partner receives no leads because it says so itself; `until` is null if only it ends that. */
  ownPause: orNull(Type.Object({ since: Type.String(), until: orNull(Type.String()) })),
};
const listed = { key, name, status, timeZone, channels, billing, ...pauses };

/** The partner after its endpoint was enabled. */
export const PartnerFormSchema = Type.Object({ ...listed, ...more });
export type PartnerOnConsole = Static<typeof PartnerFormSchema>;

export const PartnersQuerySchema = Type.Object({
  ...pagedQuery,
  status: Type.Optional(StatusSchema),
  sort: Type.Optional(
    Type.Enum([...partnerOrders], {
      default: 'name',
      description: 'What to order by; `-` begins with the highest or latest. Equal ones are ordered by name.',
    }),
  ),
});
export type PartnersQuery = Static<typeof PartnersQuerySchema>;

const ActivitySchema = Type.Object({
  availableFunds: orNull(
    Type.Number({
      description: 'What the partner can still spend: balance plus credit limit minus holds; null without a limit.',
    }),
  ),
  lastLeadAt: orNull(Type.String({ format: 'date-time', description: 'When the last lead was routed to it.' })),
  endpoint: Type.Enum(['healthy', 'unsteady', 'failing', 'disabled', 'not_set', 'none'], {
    description: 'The worst of its channels; `none` if it has none and fetches its leads itself.',
  }),
  today: orNull(
    Type.Object(
      {
        sold: Type.Integer(),
        cap: orNull(Type.Integer({ description: 'The sum of the daily caps; null if an offer has none.' })),
      },
      { description: 'Of its active offers, in its own time zone; null without any.' },
    ),
  ),
  trend: Type.Array(Type.Integer(), {
    description: "Leads sold on each of the last 14 days of the marketplace's time zone, oldest first.",
  }),
});
const RowSchema = Type.Object({ ...listed, figures: FiguresSchema, activity: ActivitySchema });
export type PartnerRow = Static<typeof RowSchema>;
export const PartnersSchema = pageOf(RowSchema);
export type Partners = Static<typeof PartnersSchema>;

export const PartnerParams = Type.Object({ partnerKey: Type.String() });
export const ShownPartnerSchema = Type.Object({
  version: Type.Integer(),
  partner: PartnerFormSchema,
  figures: FiguresSchema,
});
export type ShownPartner = Static<typeof ShownPartnerSchema>;

export const PartnerStatusSchema = Type.Object({ status: StatusSchema });
export type NewPartnerStatus = Static<typeof PartnerStatusSchema>;

export const EnabledSchema = Type.Object({ enabled: Type.Boolean(), wasDisabled: Type.Boolean() });
export type EnabledEndpoint = Static<typeof EnabledSchema>;
