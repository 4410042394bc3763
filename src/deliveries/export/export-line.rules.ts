// Writes a delivery as a line of the CSV export (contract 6.6). Nearly every line is copied straight from the stored JSON text of the fields:
// parsing it into cells, and writing these as CSV, would be most of the work of a large file.
import { typeId } from '../../base/ids.ts';
import { formatCents } from '../../base/money.ts';
import { cellsOf, nameCell } from '../delivery-columns.rules.ts';
import { deliveryRef, type DeliveryRow } from '../delivery.ts';
import { deliveryFacts, shownFields } from '../delivery-view.rules.ts';
import { csvLine, csvText, LINE_END } from './export-csv.rules.ts';

export type ExportRow = Omit<
  DeliveryRow,
  'deliveredAt' | 'confirmedAt' | 'appointmentAt' | 'leadId' | 'buyerReference'
> & {
  /** ISO 8601 UTC with milliseconds and `Z`. */
  readonly deliveredAt: string;
};

/** One line for each delivery, in their order. `ownColumns`: names of own fields and of parts of the name, whose cells follow the others. */
export function exportLines(rows: readonly ExportRow[], ownColumns: readonly string[] = []): string {
  let text = '';
  for (const row of rows) {
    const line = plainLine(row) ?? lineOfCells(row);
    text += ownColumns.length === 0 ? line : line.slice(0, -LINE_END.length) + ownCellsOf(row, ownColumns) + LINE_END;
  }
  return text;
}

/** Each preceded by a comma. An amount has two decimals, like those of the other columns. */
function ownCellsOf(row: ExportRow, names: readonly string[]): string {
  const shown = shownFields(row);
  const { own = {} } = shown;
  return names
    .map((name) => {
      const part = nameCell(shown, name);
      if (part !== undefined) return typeof part === 'string' ? `,${csvText(part)}` : ',';
      const field = Object.hasOwn(own, name) ? own[name] : undefined;
      if (field === undefined || field.hidden === true) return ',';
      const { type, value } = field;
      if (typeof value === 'string') return `,${csvText(value)}`;
      return `,${typeof value === 'number' && type === 'money' ? value.toFixed(2) : String(value)}`;
    })
    .join('');
}

/** The general way, for leads of any content. */
export function lineOfCells(row: ExportRow): string {
  const fields = shownFields(row);
  const facts = deliveryFacts({ ...row, deliveredAt: new Date(row.deliveredAt), appointmentAt: null }, fields);
  return csvLine(cellsOf(facts, fields));
}

// Text that needs neither quotes nor protection against formulas: it begins with a letter or a digit and has no comma or semicolon. Line
// breaks, tabs and quotes are excluded with the backslash that precedes them in JSON.
const PLAIN = '[A-Za-z0-9][^"\\\\,;]*';
const TEXT = `(?:"(${PLAIN})"|null)`;
const NOT_EXPORTED = '(?:"[^"\\\\]*"|null)';

// The stored fields in the order in which ingest writes them, up to the last one that is exported.
const FIELDS: ReadonlyArray<readonly [name: string, value: string]> = [
  ['fullName', `"(${PLAIN})"`],
  ['email', TEXT],
  ['phone', '(?:"(\\+[1-9]\\d{6,14})"|null)'],
  ['businessName', NOT_EXPORTED],
  ['state', TEXT],
  // At most as many digits as a double holds exactly.
  ['debtAmountCents', '(?:(\\d{1,13})|null)'],
  ['source', NOT_EXPORTED],
  ['consentTimestamp', TEXT],
  ['sourceFormUrl', TEXT],
  ['tcpaConsent', '(true|false)'],
  ['consentVersion', TEXT],
  ['consentText', NOT_EXPORTED],
  ['leadIp', TEXT],
  ['utmSource', TEXT],
  ['utmMedium', TEXT],
  ['utmCampaign', TEXT],
  ['utmTerm', TEXT],
  ['utmContent', TEXT],
];
const PLAIN_FIELDS = new RegExp(`^\\{${FIELDS.map(([name, value]) => `"${name}":${value}`).join(',')},`);

/** The fast way. Null if a cell is not plain, the fields are in another order, or the delivery failed, whose contact is not shown. */
export function plainLine(row: ExportRow): string | null {
  const { deliveryId, refNumber, eventType, status, payoutCents, deliveredAt, fields } = row;
  const found = fields === null || status === 'Failed' ? null : PLAIN_FIELDS.exec(fields);
  if (found === null) return null;
  // A missing value is undefined in the match, and an empty cell.
  const [, name, email = '', phone = '', state = '', cents, consentedAt = '', url = '', tcpaConsent] = found;
  const [version = '', ip = '', source = '', medium = '', campaign = '', term = '', content = ''] = found.slice(9);
  const debt = cents === undefined ? '' : formatCents(Number(cents));
  const sale = `${typeId('delivery', deliveryId)},${deliveryRef(eventType, refNumber)},${eventType},${status}`;
  const contact = `${name},${email},${phone},${state},${debt},${tcpaConsent},${consentedAt},${version},${ip}`;
  return `${sale},${formatCents(payoutCents)},${deliveredAt},${status === 'Returned'},${contact},${source},${medium},${campaign},${term},${content},${url}\r\n`;
}
