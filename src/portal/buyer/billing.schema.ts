// The partner's billing in the portal: that of the public API, with filters of the ledger.
import { type Static, Type } from 'typebox';

import { transferTypes } from '../../ledger/transfer.rules.ts';

const filters = {
  type: Type.Optional(Type.Enum([...transferTypes])),
  /** The first and the last day of posting, in the partner’s time zone. */
  from: Type.Optional(Type.String({ format: 'date' })),
  to: Type.Optional(Type.String({ format: 'date' })),
};

export const LedgerQuerySchema = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  ...filters,
});
export type LedgerQuery = Static<typeof LedgerQuerySchema>;

/** The filters alone. */
export const LedgerFiltersSchema = Type.Object(filters);
export type LedgerFilters = Static<typeof LedgerFiltersSchema>;
