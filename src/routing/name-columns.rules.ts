// Chooses columns for the parts of names, which exports and sheets of partners have from the first lead on that came with such a part (contract
// 14.4).
import type { LeadId } from '../base/ids.ts';
import type { NameColumn } from '../buyers/own-columns.ts';
import type { NewDelivery } from '../deliveries/create-deliveries.ts';
import { nameColumnsOf } from '../deliveries/delivery-columns.rules.ts';
import type { NameParts } from '../leads/lead-fields.ts';

/** What the deliveries need; of most leads nothing. */
export function nameColumnsFor(
  deliveries: readonly NewDelivery[],
  fieldsOf: ReadonlyMap<LeadId, NameParts>,
): readonly NameColumn[] {
  return deliveries.flatMap(({ buyerKey, leadId }) =>
    nameColumnsOf(fieldsOf.get(leadId) ?? {}).map((name) => ({ buyerKey, name })),
  );
}

/** Those that the process has not added yet: a column is never taken away again. */
export function newNameColumns(columns: readonly NameColumn[], added: ReadonlySet<string>): Map<string, NameColumn> {
  return new Map(
    columns.flatMap((column) => {
      const key = `${column.buyerKey} ${column.name}`;
      return added.has(key) ? [] : [[key, column] as const];
    }),
  );
}
