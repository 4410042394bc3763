// Makes the sums under a filtered list, which are counted up to a bound.
import { wireAmount } from '../../base/money.ts';
import type { ListSums } from './list-sums.schema.ts';

/** Rows that are added up: more take too long for a line under a list. */
export const LIST_SUMS_MAX = 10_000;

/** `rows`: counted to one more than 10,000 at least. Beyond 10,000 the number alone is left, without sums of a part. */
export function listSums({
  rows,
  isAll = true,
  counts = {},
  cents = {},
  currency,
}: {
  readonly rows: number;
  readonly isAll?: boolean;
  readonly counts?: Readonly<Record<string, number>>;
  readonly cents?: Readonly<Record<string, number>>;
  readonly currency: string;
}): ListSums {
  if (rows > LIST_SUMS_MAX) return { rows: LIST_SUMS_MAX, isAll: false, counts: {}, amounts: {}, currency };
  const amounts = Object.fromEntries(Object.entries(cents).map(([name, sum]) => [name, wireAmount(sum)]));
  return { rows, isAll, counts: { ...counts }, amounts, currency };
}
