// Reads the filter of a list or an export of deliveries, by status and days, from query parameters (contract 6.2, 6.6). The public API
// uses UTC days, the portal the days of the partner's time zone.
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

/** The requested days, `YYYY-MM-DD`; null for no bound. */
export type FilterDays = { readonly first: string | null; readonly last: string | null };

export type DeliveryFilterQuery = { readonly status?: string; readonly from?: string; readonly to?: string };

/**
 * Throws a 400 that lists every error. A route with `attachValidation: true` passes the errors that its schema found as `invalid`, so that
 * they are listed too; `query` is then unvalidated. `timeZone` is an IANA name: days begin and end by its clocks.
 */
export function readDeliveryFilter(
  query: DeliveryFilterQuery,
  { invalid, timeZone = 'UTC' }: { readonly invalid?: Error | undefined; readonly timeZone?: string } = {},
): { readonly filter: DeliveryFilter; readonly days: FilterDays } {
  if (invalid !== undefined && !(invalid instanceof RequestFault)) throw invalid;
  const errors: FieldFault[] = [...(invalid?.refusal.errors ?? [])];
  const invalidFields = new Set(errors.map(({ field }) => field));
  const read = (field: keyof DeliveryFilterQuery) => (invalidFields.has(field) ? undefined : query[field]);
  const status = read('status');
  const known = deliveryStatuses.find((one) => one.toLowerCase() === status?.toLowerCase()) ?? null;
  if (status !== undefined && known === null) {
    errors.push({
      field: 'status',
      code: 'not_allowed_value',
      message: `must be one of ${deliveryStatuses.join(', ')}`,
    });
  }
  const first = readDay('from', read('from'), errors);
  const last = readDay('to', read('to'), errors);
  if (first !== null && last !== null && first > last) {
    errors.push({ field: 'from', code: 'out_of_range', message: 'must not be after to' });
  }
  if (errors.length > 0) throw invalidQuery(errors);
  return {
    filter: {
      status: known,
      from: first === null ? null : new Date(dayInZone(first, timeZone).from),
      until: last === null ? null : new Date(dayInZone(last, timeZone).until),
    },
    days: { first, last },
  };
}

/** The schema accepts the year 0, which neither the calendar nor the database has. */
function readDay(field: string, text: string | undefined, errors: FieldFault[]): string | null {
  if (text === undefined) return null;
  const isDay = !text.startsWith('0000') && startOfUtcDay(text) !== null;
  if (!isDay) errors.push({ field, code: 'invalid_format', message: 'must be a valid date' });
  return isDay ? text : null;
}
