// The table columns of a delivery, the same in the CSV export and in a partner's sheet (contract 5.5, 6.6).
import type { DeliveryFacts, ShownFields } from './delivery-view.rules.ts';
import type { DeliveryView } from './delivery.schema.ts';

/** As in JSON responses: money is a number with at most two decimals, an instant is ISO 8601 UTC text, null means "not given". */
export type Cell = string | number | boolean | null;

type Column = (view: DeliveryFacts, fields: ShownFields) => Cell;

const COLUMNS = {
  deliveryId: (view) => view.deliveryId,
  deliveryRef: (view) => view.deliveryRef,
  eventType: (view) => view.eventType,
  status: (view) => view.status,
  payout: (view) => view.payout,
  deliveredAt: (view) => view.deliveredAt,
  returned: (view) => view.returned,
  fullName: ({ lead }) => lead.fullName,
  email: ({ lead }) => lead.email,
  phone: ({ lead }) => lead.phone,
  state: ({ lead }) => lead.state,
  debtAmount: ({ lead }) => lead.debtAmount,
  tcpaConsent: ({ lead }) => lead.tcpaConsent,
  consentTimestamp: ({ lead }) => lead.consentTimestamp,
  consentVersion: (_view, fields) => fields.consentVersion,
  leadIp: ({ lead }) => lead.leadIp,
  utmSource: ({ lead }) => lead.utmSource,
  utmMedium: (_view, fields) => fields.utmMedium,
  utmCampaign: (_view, fields) => fields.utmCampaign,
  utmTerm: (_view, fields) => fields.utmTerm,
  utmContent: (_view, fields) => fields.utmContent,
  sourceUrl: ({ lead }) => lead.sourceUrl,
} as const satisfies Record<string, Column>;

export type ColumnName = keyof typeof COLUMNS;

const columnsInOrder: readonly Column[] = Object.values(COLUMNS);

/** The first row of a table, in the order of `cellsOf`. The first column identifies the row. */
export const columnNames = Object.keys(COLUMNS) as readonly ColumnName[];

/** The columns whose text must show two decimals. */
export const moneyColumns: ReadonlySet<ColumnName> = new Set<ColumnName>(['payout', 'debtAmount']);

/** The names of the columns for own fields, which follow the others; no other column has such a name. */
export function ownColumnNames(names: readonly string[]): string[] {
  return names.map((name) => `fields.${name}`);
}

/** One cell for each of these own fields. */
export function ownCells({ fields }: Pick<DeliveryView['lead'], 'fields'>, names: readonly string[]): Cell[] {
  return names.map((name) => (fields !== undefined && Object.hasOwn(fields, name) ? (fields[name] ?? null) : null));
}

/** One cell for each of `columnNames`, in their order. Both arguments are of the same delivery. */
export function cellsOf(view: DeliveryFacts, fields: ShownFields): readonly Cell[] {
  return columnsInOrder.map((cellOf) => cellOf(view, fields));
}
