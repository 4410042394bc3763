// Which of a partner's deliveries a request is about, by status and UTC days: the same parameters for the list and the export
// (contract 6).
import { Type } from 'typebox';

import { startOfUtcDay } from '../base/time.ts';
import { type FieldFault, RequestFault } from '../platform/http/request-fault.ts';
import { invalidQuery } from '../platform/http/validation.ts';
import { type DeliveryStatus, deliveryStatuses } from './delivery-row.ts';

export type DeliveryFilter = {
  /** Null for all. */
  readonly status: DeliveryStatus | null;
  /** The first instant of the first and of the last UTC day; null for no bound. */
  readonly from: Date | null;
  readonly to: Date | null;
};

const utcDayText = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: ['2026-11-20'] }));

/** Members of a query's schema. */
export const deliveryFilterSchema = {
  status: Type.Optional(
    Type.String({ description: `One of ${deliveryStatuses.join(', ')}, in any case.`, examples: ['Confirmed'] }),
  ),
  from: utcDayText('First UTC day of delivery.'),
  to: utcDayText('Last UTC day of delivery, which is included.'),
};

export type DeliveryFilterQuery = { readonly status?: string; readonly from?: string; readonly to?: string };

/**
 * Throws the 400 that tells of every fault. A route with `attachValidation: true` hands over what its schema found, so that those faults
 * are told beside the ones found here; `query` is then as it came.
 */
export function readDeliveryFilter(query: DeliveryFilterQuery, invalid?: Error): DeliveryFilter {
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
  const days = { from: readDay('from', read('from'), faults), to: readDay('to', read('to'), faults) };
  if (days.from !== null && days.to !== null && days.from > days.to) {
    faults.push({ field: 'from', code: 'out_of_range', message: 'must not be after to' });
  }
  if (faults.length > 0) throw invalidQuery(faults);
  return { status: known, ...days };
}

/** The schema lets the year 0 pass, which neither the calendar nor the database has. */
function readDay(field: string, text: string | undefined, faults: FieldFault[]): Date | null {
  if (text === undefined) return null;
  const day = text.startsWith('0000') ? null : startOfUtcDay(text);
  if (day === null) faults.push({ field, code: 'invalid_format', message: 'must be a valid date' });
  return day;
}
