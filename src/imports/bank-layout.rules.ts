// Looks at all lines of a bank's CSV file before the first one is read: the order of day and month, whether amounts have signs, and columns that
// say direction or currency under a name that is not known (contract 7.11).
import { isSomeCurrency, readAmountText } from '../base/amount-text.ts';
import type { BankColumns } from './bank-columns.rules.ts';
import { type DayOrder, dayOrderIn } from './bank-day.rules.ts';
import { directionAlone, directionWithin, plainDirection, WORDS_LENGTH_MAX } from './bank-words.rules.ts';

export type BankLayout = {
  readonly columns: BankColumns;
  /** Null: no date of the file says it, or they disagree. */
  readonly dayOrder: DayOrder | null;
  /** Some amount has a minus, so that one without it came in. */
  readonly isSigned: boolean;
  /** Columns about the direction: what they say must be understood. */
  readonly direction: readonly number[];
  /** Columns about a type in which some line has a word for the direction. */
  readonly speaking: readonly number[];
  /** All must have the marketplace's currency. */
  readonly currency: readonly number[];
};

type Seen = { filled: number; directions: number; plain: number; within: number; currencies: number };

export type Survey = {
  readonly take: (cells: readonly string[]) => void;
  readonly layout: () => BankLayout;
};

/** `order` is what the operator says. */
export function surveyOf(columns: BankColumns, currency: string, order: DayOrder | null): Survey {
  const { date, amount, text } = columns;
  const orders = new Set<DayOrder>();
  let isSigned = false;
  const apart = new Set([date, amount, columns.credit, columns.debit, columns.name, columns.id]);
  const seen = new Map<number, Seen>(
    Array.from({ length: columns.width }, (_cell, at) => at)
      .filter((at) => !apart.has(at))
      .map((at) => [at, { filled: 0, directions: 0, plain: 0, within: 0, currencies: 0 }]),
  );
  return {
    take(cells) {
      const hint = dayOrderIn((cells[date] ?? '').trim());
      if (hint !== null && hint !== 'either') orders.add(hint);
      if (amount !== null && !isSigned) isSigned = isNegative(cells[amount] ?? '', currency);
      for (const [at, counts] of seen) {
        const cell = (cells[at] ?? '').trim();
        if (cell !== '') count(counts, cell);
      }
    },
    layout() {
      const [first = null, ...others] = orders;
      const within = (test: (counts: Seen, at: number) => boolean): number[] =>
        [...seen].flatMap(([at, counts]) => (counts.filled > 0 && test(counts, at) ? [at] : []));
      const isOther = (at: number): boolean => !text.includes(at);
      const alone = columns.named.has('direction')
        ? []
        : within(({ filled, directions }, at) => isOther(at) && directions === filled);
      const isCurrencyKnown = columns.named.has('currency') || columns.currency.length > 0;
      const codes = isCurrencyKnown ? [] : within(({ filled, currencies }, at) => isOther(at) && currencies === filled);
      return {
        columns,
        dayOrder: order ?? (others.length > 0 ? null : first),
        isSigned,
        direction: [...new Set([...columns.direction, ...alone])],
        speaking: columns.named.has('direction')
          ? []
          : within(
              ({ plain, within: phrases }, at) =>
                isOther(at) && (plain > 0 || (columns.typed.includes(at) && phrases > 0)),
            ),
        currency: [...columns.currency, ...codes],
      };
    },
  };
}

function count(counts: Seen, cell: string): void {
  counts.filled += 1;
  if (cell.length > WORDS_LENGTH_MAX) return;
  if (directionAlone(cell) !== null) counts.directions += 1;
  if (plainDirection(cell) !== null) counts.plain += 1;
  if (directionWithin(cell) !== null) counts.within += 1;
  if (/^[A-Z]{3}$/.test(cell) && isSomeCurrency(cell)) counts.currencies += 1;
}

function isNegative(cell: string, currency: string): boolean {
  const read = readAmountText(cell, { currency, separators: 'either', decimals: 'exact' });
  return read.ok && read.cents > 0 && read.sign === '-';
}
