// Deliveries in the portal: the list, the details of one delivery, and the CSV export.
import { type Static, Type } from 'typebox';

import { csvFileQuery } from '../../platform/http/csv-file.schema.ts';

import { FilterCheckSchema } from '../../claims/filter-check.schema.ts';
import { deliveryFilterSchema, SEARCH_LENGTH_MAX } from '../../deliveries/delivery-filter.schema.ts';
import { claimFilters } from '../../deliveries/narrowing.ts';
import { ReferredDelivery } from '../../deliveries/delivery.schema.ts';
import { orNull } from '../../platform/http/values.schema.ts';

const filter = {
  ...deliveryFilterSchema,
  eventType: Type.Optional(Type.Enum(['Lead Sale', 'Calendar Assigned'])),
  /** As reports name it. */
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** The code of the US state, such as `CA`. */
  state: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$' })),
  /** The key of one of the partner's offers. */
  offer: Type.Optional(Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9_.-]+$' })),
  /** The state of the latest claim. */
  claim: Type.Optional(Type.Enum([...claimFilters])),
};

export const DeliveriesQuerySchema = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  sort: Type.Optional(Type.Enum(['-deliveredAt', 'deliveredAt'], { default: '-deliveredAt' })),
  ...filter,
});
export type DeliveriesQuery = Static<typeof DeliveriesQuerySchema>;

/** The filters alone. */
export const DeliveryFilterQuerySchema = Type.Object(filter);
export type DeliveryFilterQuery = Static<typeof DeliveryFilterQuerySchema>;

export const DeliveriesSchema = Type.Object({
  page: Type.Integer(),
  pageSize: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
  /** If a search or a filter had to end before the oldest delivery: `total` counts only deliveries from this instant on. Null: it counts all. */
  backTo: orNull(Type.String({ format: 'date-time' })),
  /** Whether the search has too few digits of a phone number. */
  tooShort: Type.Boolean(),
  data: Type.Array(ReferredDelivery),
  /** Names of their verticals by `deliveryId`; empty if the partner buys leads of one kind only. */
  verticals: Type.Record(Type.String(), Type.String()),
});
export type Deliveries = Static<typeof DeliveriesSchema>;

const text = orNull(Type.String());

export const DeliveryDetailSchema = Type.Object({
  delivery: ReferredDelivery,
  isErased: Type.Boolean(),
  /** The name of the lead’s vertical; null for none, and if personal data is hidden. */
  vertical: text,
  /** The fields of the vertical as partners get them, in order, as they were when the lead was posted. */
  ownFields: Type.Array(
    Type.Object({
      name: Type.String(),
      label: Type.String(),
      type: Type.String(),
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
    }),
  ),
  /** The same members as the export: the consent text may name the supplier. `given` is null if personal data is hidden. */
  consent: Type.Object({ given: orNull(Type.Boolean()), at: text, version: text, leadIp: text, sourceUrl: text }),
  /** Why the partner got it: the offer as it was at the sale, and its filters beside the lead's values. */
  purchase: Type.Object({
    offerKey: Type.String(),
    offerName: text,
    sale: orNull(Type.Enum(['exclusive', 'shared'])),
    score: orNull(Type.Integer()),
    filters: Type.Array(FilterCheckSchema),
  }),
  campaign: Type.Object({ source: text, medium: text, campaign: text, term: text, content: text }),
  redelivery: Type.Object({
    allowed: Type.Boolean(),
    /** The error code with which a redelivery would be refused. */
    code: text,
  }),
});
export type DeliveryDetail = Static<typeof DeliveryDetailSchema>;

export const ExportRequestSchema = Type.Object(
  { ...filter, search: Type.Optional(Type.String({ maxLength: SEARCH_LENGTH_MAX })) },
  { additionalProperties: false },
);
export type ExportRequest = Static<typeof ExportRequestSchema>;
export const ExportFileQuery = Type.Object(csvFileQuery);
export type ExportFileQuery = Static<typeof ExportFileQuery>;
