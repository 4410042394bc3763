// Suppliers in the console: as in the marketplace file, with their figures.
import { type Static, Type } from 'typebox';

import { shown } from '../marketplace/configured-form.rules.ts';
import { pagedQuery, pageOf } from '../platform/http/list.schema.ts';
import { SupplierSchema, supplierStatuses } from '../suppliers/supplier.schema.ts';

const StatusSchema = Type.Enum([...supplierStatuses]);
const FiguresSchema = Type.Object({
  submitted: Type.Integer(),
  routed: Type.Integer(),
  acceptanceRate: Type.Number(),
  avgScore: Type.Number(),
});

export const SupplierFormSchema = shown(SupplierSchema);

export const SuppliersQuerySchema = Type.Object({ ...pagedQuery, status: Type.Optional(StatusSchema) });
export type SuppliersQuery = Static<typeof SuppliersQuerySchema>;

const RowSchema = Type.Object({ ...SupplierFormSchema.properties, figures: FiguresSchema });
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
