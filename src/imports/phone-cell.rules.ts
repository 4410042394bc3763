// Reads the phone number of a row, and the country for which it is written where a column names one (contract 7.10, 15.4).
import {
  isPhoneCountry,
  readNationalPhone,
  readWrittenPhone,
  type WrittenPhone,
} from '../platform/contact/written-phone.rules.ts';
import { cellOf, type CsvRow } from './csv-row.rules.ts';

/** The column with the two letters of a country, such as `US` or `DE`, in which numbers without a country code are dialled. */
export const COUNTRY = 'country';

/** Null if it is no number, or not one of the country. */
export function readPhoneCell(row: CsvRow, text: string): WrittenPhone | null {
  const country = cellOf(row, COUNTRY).toUpperCase();
  if (country === '') return readWrittenPhone(text);
  return isPhoneCountry(country) ? readNationalPhone(text, country) : null;
}

export const PHONE_RULE =
  'must be a phone number with its country code, such as +15555550123, or of ten digits in North America';
export const COUNTRY_RULE = 'must be the two letters of a country, such as US';

export function isKnownCountry(row: CsvRow): boolean {
  const country = cellOf(row, COUNTRY).toUpperCase();
  return country === '' || isPhoneCountry(country);
}
