// The sums of a list in words. Pure.
import type { ListSums } from '../../src/platform/http/list-sums.schema.ts';
import { count, formatMoney, formatNumber } from './formats.ts';

export type SumWords = {
  /** One row and several: `['lead', 'leads']`. Without them the number of rows is left out, for a list whose pager says it. */
  readonly unit?: readonly [one: string, many: string];
  /** Stand behind the counts and the money, by their names: `{ sold: 'sold' }`. */
  readonly counts?: Readonly<Record<string, string>>;
  readonly amounts?: Readonly<Record<string, string>>;
};

/** `412 leads, 371 sold, $11,240.00`; `At least` where a search did not look at all rows. Empty if there is nothing to say. */
export function sumsInWords(sums: ListSums, { unit, counts = {}, amounts = {} }: SumWords): string {
  const counted = Object.entries(counts).flatMap(([name, word]) => {
    const rows = sums.counts[name];
    return rows === undefined ? [] : [`${formatNumber(rows)} ${word}`];
  });
  const money = Object.entries(amounts).flatMap(([name, word]) => {
    const amount = sums.amounts[name];
    return amount === undefined ? [] : [`${formatMoney(amount, sums.currency)} ${word}`.trimEnd()];
  });
  const { rows, isAll } = sums;
  const parts = [...counted, ...money];
  if (unit === undefined) return parts.join(', ');
  // Beyond its bound the service counts no further and adds up nothing.
  const isCut = !isAll && Object.keys({ ...sums.counts, ...sums.amounts }).length === 0;
  if (isCut) return `More than ${formatNumber(rows)} ${unit[1]}`;
  return `${isAll ? '' : 'At least '}${[count(rows, ...unit), ...parts].join(', ')}`;
}
