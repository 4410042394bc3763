// Says which suppliers' month is not over yet, before their statements are issued (contract 11.3).
import { monthSpan } from '../invoices/period.rules.ts';

/** A message about the supplier whose month ends last if the month is not over for all of them, else null. */
export function notOverForAll(
  month: string,
  suppliers: ReadonlyArray<{ readonly supplierKey: string; readonly timeZone: string }>,
  now: Date,
): string | null {
  const early = suppliers
    .map(({ supplierKey, timeZone }) => ({ supplierKey, timeZone, until: monthSpan(month, timeZone).until }))
    .filter(({ until }) => until > now.getTime())
    .toSorted((one, other) => other.until - one.until);
  const [last] = early;
  if (last === undefined) return null;
  const others = early.length === 1 ? '' : ` (and for ${early.length - 1} more)`;
  const { supplierKey, timeZone, until } = last;
  return `${month} is not over for ${supplierKey} in ${timeZone}${others}: it ends at ${new Date(until).toISOString()}.`;
}
