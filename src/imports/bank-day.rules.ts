// Reads the day of a bank's line, and finds out from a whole file whether day or month comes first in it (contract 7.11).

export const dayOrders = ['day-first', 'month-first'] as const;
export type DayOrder = (typeof dayOrders)[number];

export type ReadDay =
  /** As in 2026-11-30. */
  | { readonly ok: true; readonly day: string }
  /** `order`: the order of day and month is not known, or `other_order`: it is not that of the file. */
  | { readonly ok: false; readonly why: 'form' | 'order' | 'other_order' };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Two digits are a year from 2020 to 2099: a lower number is rather a day. */
const SHORT_YEAR_MIN = 20;

/** A time may follow. `order` null: the file does not say it, so that only days that are the same in both orders are read. */
export function readBankDay(text: string, order: DayOrder | null): ReadDay {
  const parts = partsOf(text);
  if (parts === null) return { ok: false, why: 'form' };
  if (parts.kind === 'day') return dayOf(parts);
  const { first, second, year } = parts;
  const hint = orderOf(parts);
  if (hint === null && order === null) return { ok: false, why: 'order' };
  if (hint !== null && hint !== 'either' && order !== null && hint !== order) return { ok: false, why: 'other_order' };
  const isDayFirst = (order ?? hint) !== 'month-first';
  return dayOf({ year, month: isDayFirst ? second : first, day: isDayFirst ? first : second });
}

/** What a date says about the order of its file: null if it may be both, `either` if it does not matter. */
export function dayOrderIn(text: string): DayOrder | 'either' | null {
  const parts = partsOf(text);
  return parts === null || parts.kind === 'day' ? 'either' : orderOf(parts);
}

type Ordered = { readonly kind: 'ordered'; readonly first: number; readonly second: number; readonly year: number };
type Day = { readonly year: number; readonly month: number; readonly day: number };

function orderOf({ first, second }: Ordered): DayOrder | 'either' | null {
  return first === second ? 'either' : first > 12 ? 'day-first' : second > 12 ? 'month-first' : null;
}

function partsOf(text: string): (Day & { readonly kind: 'day' }) | Ordered | null {
  const [date = ''] = text.split(/[ T]/);
  const [, , year = '', month = '', day = ''] =
    /^((\d{4})(?:-|\/|\.|)(\d{2})(?:-|\/|\.|)(\d{2}))$/.exec(date) ??
    /^()(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(date) ??
    [];
  if (year !== '') return { kind: 'day', year: Number(year), month: Number(month), day: Number(day) };
  const [match, one = '', separator, two = '', last = ''] =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(date) ?? [];
  if (match !== undefined) {
    const short = Number(last) + (last.length === 2 ? 2000 : 0);
    if (short < 2000 + SHORT_YEAR_MIN) return null;
    // With points the day comes first everywhere.
    if (separator === '.') return { kind: 'day', year: short, month: Number(two), day: Number(one) };
    return { kind: 'ordered', first: Number(one), second: Number(two), year: short };
  }
  return namedMonth(text);
}

/** `3 Nov 2026`, `03-Nov-26`, `Nov 3, 2026`. */
function namedMonth(text: string): (Day & { readonly kind: 'day' }) | null {
  const [, one = '', name = '', other = ''] =
    /^(\d{1,2})[- ]([a-z]{3})[a-z]*\.?[- ](\d{4}|\d{2})(?!\d)/i.exec(text) ??
    swapped(/^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})(?!\d)/i.exec(text));
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  const year = Number(other) + (other.length === 2 ? 2000 : 0);
  return month === 0 || year < 2000 + SHORT_YEAR_MIN ? null : { kind: 'day', year, month, day: Number(one) };
}

function swapped(match: RegExpExecArray | null): readonly string[] {
  return match === null ? [] : [match[0], match[2] ?? '', match[1] ?? '', match[3] ?? ''];
}

/** Only days that exist. */
function dayOf({ year, month, day }: Day): ReadDay {
  const at = new Date(Date.UTC(year, month - 1, day));
  const exists = year >= 2000 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return exists ? { ok: true, day: at.toISOString().slice(0, 10) } : { ok: false, why: 'form' };
}

/** The spellings of a day that banks and spreadsheets use, for payments that were posted when a date counted as it was written. */
export function spellingsOf(day: string): string[] {
  const [year = '', month = '', date = ''] = day.split('-');
  const [shortMonth, shortDate, shortYear] = [String(Number(month)), String(Number(date)), year.slice(2)];
  const dayFirst = ['.', '/', '-'].flatMap((mark) => [
    [date, month, year].join(mark),
    [shortDate, shortMonth, year].join(mark),
    [date, month, shortYear].join(mark),
  ]);
  const monthFirst = ['/', '-'].flatMap((mark) => [
    [month, date, year].join(mark),
    [shortMonth, shortDate, year].join(mark),
    [month, date, shortYear].join(mark),
  ]);
  return [day, `${day} 00:00`, `${day} 00:00:00`, `${day}T00:00:00`, year + month + date, ...dayFirst, ...monthFirst];
}
