// Formats the texts of documents: days in a time zone, amounts and counts with separators, names without control characters.
import { formatCents } from '../base/money.ts';
import { Temporal } from '../base/temporal.ts';

export function dayOf(at: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

export function amount(cents: number): string {
  return separated(formatCents(cents + 0));
}

export function count(quantity: number): string {
  return separated(String(quantity));
}

function separated(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+(?!\d))(?<!\.\d*)/g, ',');
}

/** What is shown for a character that cannot be. */
export const REPLACEMENT = '\ufffd';

/** A text of a user for a page: composed, with blanks for line breaks, without control characters and marks that would turn the text around. */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/\p{Cc}/gu, REPLACEMENT);
}
