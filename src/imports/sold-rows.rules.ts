// Checks a row of sold leads: a contact, who bought it, and when (contract 4.4, 7.10).
import { plainText } from '../base/text.ts';
import { parseInstant } from '../base/rfc3339.ts';
import { startOfUtcDay } from '../base/time.ts';
import { EVERY_BUYER } from '../leads/identity.rules.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { isEmail } from '../platform/contact/email.rules.ts';
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
  readonly now: Date;
};

export function readSoldRow(
  row: CsvRow,
  { partners, now }: SoldTerms,
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
  const soldAt = readTime(cellOf(row, 'soldAt'));
  if (soldAt === null) {
    fault('soldAt', 'must be a time such as 2026-11-20T15:04:05Z, or a day such as 2026-11-20');
  } else if (soldAt > now.getTime()) fault('soldAt', 'must not be in the future');
  if (faults.length > 0 || soldAt === null) return { value: null, faults };
  return { value: { phone, email: email === '' ? null : email, scope, soldAt: new Date(soldAt) }, faults: null };
}

function readTime(text: string): number | null {
  return startOfUtcDay(text)?.getTime() ?? parseInstant(text);
}
