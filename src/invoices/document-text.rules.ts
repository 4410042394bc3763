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

/** Replaces control characters and marks that change the text direction. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
