// SQL conditions on deliveries by status and kind as literal text, so that the planner can choose a partial index for each.
import type { Statement } from '../platform/database/database.ts';
import type { EventType, DeliveryStatus } from './delivery.ts';

/** Null matches all. */
export type RowFilter = { readonly status: DeliveryStatus | null; readonly eventType: EventType | null };

const STATUS: Readonly<Record<DeliveryStatus, string>> = {
  Pending: `status = 'Pending'`,
  Confirmed: `status = 'Confirmed'`,
  // Equivalent to the status by the table's checks, but these columns are null for most deliveries, so their indexes are small.
  Failed: 'failed_at IS NOT NULL',
  Returned: 'returned_at IS NOT NULL',
};
const KIND: Readonly<Record<EventType, string>> = {
  'Lead Sale': `event_type = 'Lead Sale'`,
  'Calendar Assigned': `event_type = 'Calendar Assigned'`,
};
const statuses = [null, ...(Object.keys(STATUS) as DeliveryStatus[])];
const kinds = [null, ...(Object.keys(KIND) as EventType[])];

/** Calls `make` once for each possible filter, with a name for its statement. Returns a function that finds the statement of a filter. */
export function forEachFilter<Params, Row>(
  make: (name: string, condition: string) => Statement<Params, Row>,
): ((filter: RowFilter) => Statement<Params, Row>) & { readonly all: ReadonlyArray<Statement<Params, Row>> } {
  const made = new Map(
    statuses.flatMap((status) =>
      kinds.map((eventType) => [
        keyOf({ status, eventType }),
        make(nameOf(status, eventType), conditionOf(status, eventType)),
      ]),
    ),
  );
  const statementOf = (filter: RowFilter): Statement<Params, Row> => {
    const statement = made.get(keyOf(filter));
    if (statement === undefined) throw new RangeError('unknown filter');
    return statement;
  };
  return Object.assign(statementOf, { all: [...made.values()] });
}

/** The deliveries of a buyer's list, of the span $from ≤ delivered_at < $until. */
export const listed = (condition: string): string =>
  `buyer_key = $buyerKey AND delivered_at >= $from AND delivered_at < $until AND ${condition}`;

function keyOf({ status, eventType }: RowFilter): string {
  return `${status ?? 'any'} ${eventType ?? 'any'}`;
}

function nameOf(status: DeliveryStatus | null, eventType: EventType | null): string {
  const kind = eventType === null ? '' : `_${eventType.replaceAll(' ', '_')}`;
  return `${status ?? 'any'}${kind}`.toLowerCase();
}

function conditionOf(status: DeliveryStatus | null, eventType: EventType | null): string {
  const conditions = [...(status === null ? [] : [STATUS[status]]), ...(eventType === null ? [] : [KIND[eventType]])];
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}
