// The table columns of a delivery, the same in the CSV export and in a partner's sheet (contract 5.5, 6.6).
import type { LeadFields, NameParts } from '../leads/lead-fields.ts';
import { namesOf } from '../leads/person-name.rules.ts';
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

/** The columns for parts of the name, which a partner has from the first lead on that came with such a part. */
const nameColumns = [
  'firstName',
  'middleName',
  'lastName',
  'namePrefix',
  'nameSuffix',
] as const satisfies ReadonlyArray<keyof NameParts>;

function isNameColumn(name: string): name is (typeof nameColumns)[number] {
  return (nameColumns as readonly string[]).includes(name);
}

/** The columns that a lead needs: both of first and last name if one was sent, so that both are filled for all leads. */
export function nameColumnsOf(parts: NameParts): string[] {
  const hasName = parts.firstName !== undefined || parts.lastName !== undefined;
  return nameColumns.filter((name) =>
    name === 'firstName' || name === 'lastName' ? hasName : parts[name] !== undefined,
  );
}

/** The names of the further columns, which follow the others. No own field is named as a part of the name, because its name has no capitals. */
export function ownColumnNames(names: readonly string[]): string[] {
  return names.map((name) => (isNameColumn(name) ? name : `fields.${name}`));
}

type Named = NameParts & Pick<LeadFields, 'fullName' | 'email' | 'phone'>;

/** The cell of a part of the name, as templates have it; undefined if the name is that of an own field. Null for a lead without contact data. */
export function nameCell(lead: Named, name: string): Cell | undefined {
  if (!isNameColumn(name)) return undefined;
  return lead.email === null && lead.phone === null ? null : namesOf(lead)[name];
}

/** One cell for each of these own fields and parts of the name. */
export function ownCells(lead: Named & Pick<DeliveryView['lead'], 'fields'>, names: readonly string[]): Cell[] {
  const { fields } = lead;
  return names.map((name) => {
    const part = nameCell(lead, name);
    if (part !== undefined) return part;
    return fields !== undefined && Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
  });
}

/** One cell for each of `columnNames`, in their order. Both arguments are of the same delivery. */
export function cellsOf(view: DeliveryFacts, fields: ShownFields): readonly Cell[] {
  return columnsInOrder.map((cellOf) => cellOf(view, fields));
}
