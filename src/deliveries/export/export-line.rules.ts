// A delivery as a line of the export (contract 6.6). Nearly every one is written straight from the stored text of its fields:
// to take that apart into cells, and those into CSV, is most of the work of a large file.
import { typeId } from '../../base/ids.ts';
import { formatCents } from '../../base/money.ts';
import { cellsOf } from '../delivery-columns.rules.ts';
import { deliveryRef, type DeliveryRow } from '../delivery.ts';
import { deliveryFacts, shownFields } from '../delivery-view.rules.ts';
import { csvLine } from './export-csv.rules.ts';

export type ExportRow = Omit<DeliveryRow, 'deliveredAt' | 'confirmedAt' | 'appointmentAt' | 'leadId'> & {
  /** ISO 8601 UTC with milliseconds and `Z`. */
  readonly deliveredAt: string;
};

/** One line for each delivery, in their order. */
export function exportLines(rows: readonly ExportRow[]): string {
  let text = '';
  for (const row of rows) text += plainLine(row) ?? lineOfCells(row);
  return text;
}

/** By the rules of cells, whatever a lead may hold. */
export function lineOfCells(row: ExportRow): string {
  const fields = shownFields(row);
  const facts = deliveryFacts({ ...row, deliveredAt: new Date(row.deliveredAt), appointmentAt: null }, fields);
  return csvLine(cellsOf(facts, fields));
}

// Needs neither quotes nor a mark against formulas: it begins with a letter or a digit, and a comma would be the only thing to quote and a
// semicolon the only thing to divide it, since line breaks, tabs and quotes stand behind a backslash in JSON.
const PLAIN = '[A-Za-z0-9][^"\\\\,;]*';
const TEXT = `(?:"(${PLAIN})"|null)`;
const UNSEEN = '(?:"[^"\\\\]*"|null)';

// The stored fields in the order in which ingest writes them, up to the last one that the file shows.
const FIELDS: ReadonlyArray<readonly [name: string, value: string]> = [
  ['fullName', `"(${PLAIN})"`],
  ['email', TEXT],
  ['phone', '(?:"(\\+[1-9]\\d{6,14})"|null)'],
  ['businessName', UNSEEN],
  ['state', TEXT],
  // No more digits than are exact in a double, on both ways.
  ['debtAmountCents', '(?:(\\d{1,13})|null)'],
  ['source', UNSEEN],
  ['consentTimestamp', TEXT],
  ['sourceFormUrl', TEXT],
  ['tcpaConsent', '(true|false)'],
  ['consentVersion', TEXT],
  ['consentText', UNSEEN],
  ['leadIp', TEXT],
  ['utmSource', TEXT],
  ['utmMedium', TEXT],
  ['utmCampaign', TEXT],
  ['utmTerm', TEXT],
  ['utmContent', TEXT],
];
const PLAIN_FIELDS = new RegExp(`^\\{${FIELDS.map(([name, value]) => `"${name}":${value}`).join(',')},`);

/** Null where a cell is not plain, or the fields are in another order: then nothing is known. Nor is anything of a failed delivery shown. */
export function plainLine(row: ExportRow): string | null {
  const { deliveryId, refNumber, eventType, status, payoutCents, deliveredAt, fields } = row;
  const found = fields === null || status === 'Failed' ? null : PLAIN_FIELDS.exec(fields);
  if (found === null) return null;
  // What did not match is undefined, and an empty cell.
  const [, name, email = '', phone = '', state = '', cents, consentedAt = '', url = '', tcpaConsent] = found;
  const [version = '', ip = '', source = '', medium = '', campaign = '', term = '', content = ''] = found.slice(9);
  const debt = cents === undefined ? '' : formatCents(Number(cents));
  const sale = `${typeId('delivery', deliveryId)},${deliveryRef(eventType, refNumber)},${eventType},${status}`;
  const person = `${name},${email},${phone},${state},${debt},${tcpaConsent},${consentedAt},${version},${ip}`;
  return `${sale},${formatCents(payoutCents)},${deliveredAt},${status === 'Returned'},${person},${source},${medium},${campaign},${term},${content},${url}\r\n`;
}
