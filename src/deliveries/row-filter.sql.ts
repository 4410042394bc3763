// Conditions on deliveries by status and kind as texts, so that the planner sees them and may know an index for each.
import type { Statement } from '../platform/database/database.ts';
import type { EventType, DeliveryStatus } from './delivery.ts';

/** Null for all. */
export type RowFilter = { readonly status: DeliveryStatus | null; readonly eventType: EventType | null };

const STATUS: Readonly<Record<DeliveryStatus, string>> = {
  Pending: `status = 'Pending'`,
  Confirmed: `status = 'Confirmed'`,
  // The same as the status, by the table's checks, but columns that stay null while most deliveries take their course.
  Failed: 'failed_at IS NOT NULL',
  Returned: 'returned_at IS NOT NULL',
};
const KIND: Readonly<Record<EventType, string>> = {
  'Lead Sale': `event_type = 'Lead Sale'`,
  'Calendar Assigned': `event_type = 'Calendar Assigned'`,
};
const statuses = [null, ...(Object.keys(STATUS) as DeliveryStatus[])];
const kinds = [null, ...(Object.keys(KIND) as EventType[])];

/** `make` is called once for each filter there can be, with a name for its statement. Answers the way to the right one, and all of them. */
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
    if (statement === undefined) throw new RangeError('there is no such filter');
    return statement;
  };
  return Object.assign(statementOf, { all: [...made.values()] });
}

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
