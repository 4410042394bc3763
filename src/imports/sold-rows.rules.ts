// Checks a row of sold leads: a contact, who bought it, and when (contract 4.4, 7.10).
import { plainNumber, plainText } from '../base/text.ts';
import { parseInstant } from '../base/rfc3339.ts';
import { startOfUtcDay } from '../base/time.ts';
import { EVERY_BUYER } from '../leads/identity.rules.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { isEmail } from '../platform/contact/email.rules.ts';
import { type DayOrder, readBankDay } from './bank-day.rules.ts';
import { cellOf, type CsvRow, faultAt } from './csv-row.rules.ts';
import { COUNTRY, COUNTRY_RULE, isKnownCountry, PHONE_RULE, readPhoneCell } from './phone-cell.rules.ts';
import type { CsvColumns } from './read-csv.ts';

const OWN_COLUMNS = ['phone', COUNTRY, 'email', 'partner', 'soldAt'];

/** Also `vertical` and the columns of own fields as in our CSV files, which are read over: a sale is kept as hashes of its contact alone. */
export function soldColumns(verticals: Iterable<Vertical>): CsvColumns {
  const fields = [...verticals].flatMap((vertical) => vertical.fields.map(({ name }) => `fields.${name}`));
  const others = fields.length === 0 ? [] : ['vertical', ...new Set(fields)];
  return { known: [...OWN_COLUMNS, ...others], required: ['soldAt'] };
}

export type SoldRow = {
  /** E.164; phone or email address is given. */
  readonly phone: string | null;
  readonly email: string | null;
  /** The key of a partner, or `EVERY_BUYER`. */
  readonly scope: string;
  readonly soldAt: Date;
};

export type SoldTerms = {
  /** The keys of all partners. */
  readonly partners: ReadonlySet<string>;
  /** Null: only dates that can be read in one way. */
  readonly dayOrder: DayOrder | null;
  readonly now: Date;
};

export function readSoldRow(
  row: CsvRow,
  { partners, dayOrder, now }: SoldTerms,
): { readonly value: SoldRow; readonly faults: null } | { readonly value: null; readonly faults: FileFault[] } {
  const faults: FileFault[] = [];
  const fault = (column: string, message: string): void => void faults.push(faultAt(row, column, message));
  const phoneText = cellOf(row, 'phone');
  const email = plainText(cellOf(row, 'email'));
  const phone = phoneText === '' ? null : (readPhoneCell(row, phoneText)?.number ?? null);
  if (!isKnownCountry(row)) fault(COUNTRY, COUNTRY_RULE);
  else if (phoneText !== '' && phone === null) fault('phone', PHONE_RULE);
  if (email !== '' && !isEmail(email)) fault('email', 'must be an email address');
  if (phoneText === '' && email === '') fault('phone', 'or "email" must be given');
  const scope = cellOf(row, 'partner') || EVERY_BUYER;
  if (scope !== EVERY_BUYER && !partners.has(scope)) fault('partner', `there is no partner "${scope}"`);
  const soldText = plainNumber(cellOf(row, 'soldAt'));
  const soldAt = readTime(soldText, dayOrder);
  if (soldAt === null) fault('soldAt', timeRule(soldText, dayOrder));
  else if (soldAt > now.getTime()) fault('soldAt', 'must not be in the future');
  if (faults.length > 0 || soldAt === null) return { value: null, faults };
  return { value: { phone, email: email === '' ? null : email, scope, soldAt: new Date(soldAt) }, faults: null };
}

/** Days as spreadsheets write them; a time of the day without a zone is left out. */
function readTime(text: string, dayOrder: DayOrder | null): number | null {
  const at = startOfUtcDay(text)?.getTime() ?? parseInstant(text);
  if (at !== null) return at;
  const read = WRITTEN_DAY.test(text) ? readBankDay(text, dayOrder) : null;
  return read?.ok === true ? (startOfUtcDay(read.day)?.getTime() ?? null) : null;
}

const WRITTEN_DAY = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?: \d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?)?$/i;

function timeRule(text: string, dayOrder: DayOrder | null): string {
  const read = readBankDay(text, dayOrder);
  if (!read.ok && read.why === 'order') {
    return 'may begin with the day or with the month: say which with --dates day-first or month-first';
  }
  if (!read.ok && read.why === 'other_order') return `is not ${dayOrder ?? ''}, as --dates says`;
  return 'must be a time such as 2026-11-20T15:04:05Z, or a day such as 2026-11-20 or 11/20/2026';
}
