// The sums under a filtered list: how many rows it shows, and what they come to.
import { type Static, Type } from 'typebox';

import { orNull } from './values.schema.ts';

export const ListSumsSchema = Type.Object({
  /** At most 10,000. */
  rows: Type.Integer(),
  /** False if there are, or may be, more rows than these. */
  isAll: Type.Boolean(),
  /** Those that were sold; null for a list of sales, and beyond 10,000 rows. */
  sold: orNull(Type.Integer()),
  /** What confirmed deliveries cost, the charges for the deliveries of claims or the credits for them, or what is due on invoices; null where
   * the list shows no money, and beyond 10,000 rows. */
  amount: orNull(Type.Number()),
  currency: Type.String(),
});
export type ListSums = Static<typeof ListSumsSchema>;
