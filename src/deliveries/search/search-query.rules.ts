// Parses a search text for deliveries: a reference or id, a phone number or its end, an email address, or words of a name.
import { type DeliveryId, uuidOf } from '../../base/ids.ts';
import { normalizeMailbox } from '../../leads/identity.rules.ts';
import { isEmail } from '../../platform/contact/email.rules.ts';
import { dialledDigits, isTypedNumber } from '../../platform/contact/typed-phone.rules.ts';
import type { EventType } from '../delivery.ts';
import { nameWords } from '../../leads/name-words.ts';
import { reversedDigits } from './search-terms.rules.ts';
import type { ContactQuery } from '../../leads/contact-query.rules.ts';

/** The kind of stored terms that the search looks at. For names these are the rotations that begin with different words. */
export type TermKind = 'name' | 'email' | 'phone';

/** low ≤ term < high, in the order of code points. */
export type TermRange = { readonly low: string; readonly high: string };

export type ParsedSearch = {
  /** By id or reference; `eventType` is null if only the number is known. Null if the text is neither. */
  readonly delivery:
    | { readonly deliveryId: DeliveryId }
    | { readonly refNumber: number; readonly eventType: EventType | null }
    | null;
  readonly kind: TermKind;
  /** For a name one range per word, all of which must match; else one range. Empty if the text is no term of a contact. */
  readonly ranges: readonly TermRange[];
};

/** `too_short`: the end of a phone number with so few digits that too many numbers match. */
export type SearchReading =
  | { readonly ok: true; readonly parsed: ParsedSearch }
  | { readonly ok: false; readonly code: 'too_short' };

/** Fewer digits of the end of a phone number would match too many contacts. */
const DIGITS_MIN = 4;

const DIGITS_MAX = 15;

const REFERENCE = /^(ls|ca)[\s\-–—#]*(\d{1,15})$/i;

const EVENT_TYPES = { ls: 'Lead Sale', ca: 'Calendar Assigned' } as const;

export function readSearch(text: string): SearchReading {
  // The database rejects NUL, and no term contains control characters.
  const trimmed = text
    .normalize('NFKC')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  const deliveryId = uuidOf('delivery', trimmed.toLowerCase());
  if (deliveryId !== null) return found({ deliveryId }, 'name', []);
  const [, letters, number] = REFERENCE.exec(trimmed) ?? [];
  if (letters !== undefined && number !== undefined) {
    const eventType = EVENT_TYPES[letters.toLowerCase() as keyof typeof EVENT_TYPES];
    return found({ refNumber: Number(number), eventType }, 'name', []);
  }
  if (isTypedNumber(trimmed)) return readNumber(trimmed);
  if (trimmed.includes('@')) return found(null, 'email', [emailRange(trimmed)]);
  return found(null, 'name', nameWords(trimmed).map(beginningWith));
}

function found(delivery: ParsedSearch['delivery'], kind: TermKind, ranges: readonly TermRange[]): SearchReading {
  return { ok: true, parsed: { delivery, kind, ranges } };
}

/** Digits alone may also be the number of a reference. */
function readNumber(text: string): SearchReading {
  if (text.replaceAll(/\D+/g, '').length < DIGITS_MIN) return { ok: false, code: 'too_short' };
  const refNumber = /^\d{1,15}$/.test(text) ? Number(text) : null;
  const delivery = refNumber === null ? null : { refNumber, eventType: null };
  const digits = dialledDigits(text);
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return found(delivery, 'phone', []);
  const term = reversedDigits(digits);
  const isComplete = text.startsWith('+') && digits.length >= COMPLETE;
  return found(delivery, 'phone', [isComplete ? exactly(term) : beginningWith(term)]);
}

/** A number with a country code counts as complete from this many digits on; a shorter one is still being typed. */
const COMPLETE = 11;

/** A whole address in any spelling of its mailbox, or the beginning of one. */
function emailRange(text: string): TermRange {
  const term = normalizeMailbox(text);
  return isEmail(text) ? exactly(term) : beginningWith(term);
}

function exactly(term: string): TermRange {
  return { low: term, high: `${term}\u0001` };
}

/** U+10FFFF is no character, so no term contains it, and every term with this beginning sorts before it. */
function beginningWith(term: string): TermRange {
  return { low: term, high: `${term}\u{10FFFF}` };
}

/** LIKE patterns of the words of a name, which are letters and digits only. The other kinds of terms need only their range. */
export function wordPatterns({ kind, ranges }: ParsedSearch): string[] {
  return kind === 'name' ? ranges.map(({ low }) => `% ${low}%`) : [];
}

/**
 * The query for unsold leads, which have no stored terms. Null if the text is no phone number or email address: names are searched among
 * sold leads only.
 */
export function contactQuery({ kind, ranges }: ParsedSearch): ContactQuery | null {
  const [range] = ranges;
  if (range === undefined || kind === 'name') return null;
  const { low } = range;
  if (kind === 'phone') return { kind, digits: reversedDigits(low), isWhole: isWhole(range) };
  return { kind, mailbox: low, isWhole: isWhole(range) };
}

/** Whether the range contains exactly one term. */
function isWhole({ low, high }: TermRange): boolean {
  return high === `${low}\u0001`;
}
