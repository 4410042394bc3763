// Suppliers in the console: as in the marketplace file, with their figures.
import { type Static, Type } from 'typebox';

import { shown } from '../marketplace/configured-form.rules.ts';
import { pagedQuery, pageOf } from '../platform/http/list.schema.ts';
import { orNull } from '../platform/http/values.schema.ts';
import { supplierOrders } from '../reports/account-list-order.rules.ts';
import { SupplierSchema, supplierStatuses } from '../suppliers/supplier.schema.ts';

const StatusSchema = Type.Enum([...supplierStatuses]);
const FiguresSchema = Type.Object({
  submitted: Type.Integer(),
  routed: Type.Integer(),
  acceptanceRate: Type.Number(),
  avgScore: Type.Number(),
});

export const SupplierFormSchema = shown(SupplierSchema);

export const SuppliersQuerySchema = Type.Object({
  ...pagedQuery,
  status: Type.Optional(StatusSchema),
  sort: Type.Optional(
    Type.Enum([...supplierOrders], {
      default: 'name',
      description: 'What to order by; `-` begins with the highest or latest. Equal ones are ordered by name.',
    }),
  ),
});
export type SuppliersQuery = Static<typeof SuppliersQuerySchema>;

const ActivitySchema = Type.Object({
  lastLeadAt: orNull(Type.String({ format: 'date-time', description: 'When it last submitted a lead.' })),
  trend: Type.Array(Type.Integer(), {
    description:
      "Leads submitted on each of the last 14 days of the marketplace's time zone, oldest first, today last.",
  }),
});
const RowSchema = Type.Object({
  ...SupplierFormSchema.properties,
  figures: FiguresSchema,
  activity: ActivitySchema,
});
export type SupplierRow = Static<typeof RowSchema>;
export const SuppliersSchema = pageOf(RowSchema);
export type Suppliers = Static<typeof SuppliersSchema>;

export const SupplierParams = Type.Object({ supplierKey: Type.String() });
export const ShownSupplierSchema = Type.Object({
  version: Type.Integer(),
  supplier: SupplierFormSchema,
  figures: FiguresSchema,
});
export type ShownSupplier = Static<typeof ShownSupplierSchema>;

export const SupplierStatusSchema = Type.Object({ status: StatusSchema });
export type NewSupplierStatus = Static<typeof SupplierStatusSchema>;
