// The sums under a filtered list: how many rows it shows, and what they come to.
import { type Static, Type } from 'typebox';

export const ListSumsSchema = Type.Object({
  /** At most 10,000. */
  rows: Type.Integer(),
  /** False if there are, or may be, more rows than these. */
  isAll: Type.Boolean(),
  /** How many of the rows are `sold`, `failed` and so on; empty beyond 10,000 rows. */
  counts: Type.Record(Type.String(), Type.Integer()),
  /** The money of the rows by what it is: `spent`, `due` and so on; empty beyond 10,000 rows. */
  amounts: Type.Record(Type.String(), Type.Number()),
  currency: Type.String(),
});
export type ListSums = Static<typeof ListSumsSchema>;
