// The sums of a list in words. Pure.
import type { ListSums } from '../../src/platform/http/list-sums.schema.ts';
import { count, formatMoney, formatNumber } from './formats.ts';

export type SumWords = {
  readonly one: string;
  readonly many: string;
  /** Stands behind the money: `spent`. */
  readonly spent?: string;
};

/** `412 leads, 371 sold, $11,240.00`; `At least` where a search did not look at all rows. */
export function sumsInWords({ rows, isAll, sold, amount, currency }: ListSums, { one, many, spent }: SumWords): string {
  // Beyond its bound the service counts no further and adds up nothing.
  if (!isAll && sold === null && amount === null) return `More than ${formatNumber(rows)} ${many}`;
  const money = amount === null ? [] : [`${formatMoney(amount, currency)}${spent === undefined ? '' : ` ${spent}`}`];
  const parts = [count(rows, one, many), ...(sold === null ? [] : [`${formatNumber(sold)} sold`]), ...money];
  return `${isAll ? '' : 'At least '}${parts.join(', ')}`;
}
