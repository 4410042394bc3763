// Which of a partner's deliveries a request is about, by status and days: the same parameters for the list and the export (contract 6.2, 6.6).
// The public API counts in UTC days, the portal in the days of the partner's own zone.
import { dayInZone, startOfUtcDay } from '../base/time.ts';
import { type FieldFault, RequestFault } from '../platform/http/request-fault.ts';
import { invalidQuery } from '../platform/http/validation.ts';
import { type DeliveryStatus, deliveryStatuses } from './delivery.ts';

/** Half open: from ≤ deliveredAt < until; null for no bound. */
export type DeliverySpan = { readonly from: Date | null; readonly until: Date | null };
export type DeliveryFilter = DeliverySpan & {
  /** Null for all. */
  readonly status: DeliveryStatus | null;
};

/** The days that were asked for, `YYYY-MM-DD`; null for no bound. */
export type FilterDays = { readonly first: string | null; readonly last: string | null };

export type DeliveryFilterQuery = { readonly status?: string; readonly from?: string; readonly to?: string };

/**
 * Throws the 400 that tells of every fault. A route with `attachValidation: true` hands over what its schema found, so that those faults
 * are told beside the ones found here; `query` is then as it came. `timeZone` is an IANA name: the days are those of its clocks.
 */
export function readDeliveryFilter(
  query: DeliveryFilterQuery,
  { invalid, timeZone = 'UTC' }: { readonly invalid?: Error | undefined; readonly timeZone?: string } = {},
): { readonly filter: DeliveryFilter; readonly days: FilterDays } {
  if (invalid !== undefined && !(invalid instanceof RequestFault)) throw invalid;
  const faults: FieldFault[] = [...(invalid?.refusal.errors ?? [])];
  const unread = new Set(faults.map(({ field }) => field));
  const read = (field: keyof DeliveryFilterQuery) => (unread.has(field) ? undefined : query[field]);
  const status = read('status');
  const known = deliveryStatuses.find((one) => one.toLowerCase() === status?.toLowerCase()) ?? null;
  if (status !== undefined && known === null) {
    faults.push({
      field: 'status',
      code: 'not_allowed_value',
      message: `must be one of ${deliveryStatuses.join(', ')}`,
    });
  }
  const first = readDay('from', read('from'), faults);
  const last = readDay('to', read('to'), faults);
  if (first !== null && last !== null && first > last) {
    faults.push({ field: 'from', code: 'out_of_range', message: 'must not be after to' });
  }
  if (faults.length > 0) throw invalidQuery(faults);
  return {
    filter: {
      status: known,
      from: first === null ? null : new Date(dayInZone(first, timeZone).from),
      until: last === null ? null : new Date(dayInZone(last, timeZone).until),
    },
    days: { first, last },
  };
}

/** The schema lets the year 0 pass, which neither the calendar nor the database has. */
function readDay(field: string, text: string | undefined, faults: FieldFault[]): string | null {
  if (text === undefined) return null;
  const isDay = !text.startsWith('0000') && startOfUtcDay(text) !== null;
  if (!isDay) faults.push({ field, code: 'invalid_format', message: 'must be a valid date' });
  return isDay ? text : null;
}
