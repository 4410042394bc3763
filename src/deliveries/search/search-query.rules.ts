// Reads what a partner types to find a delivery: its reference or id, a phone number or its end, an e-mail address, or words of a name.
import { type DeliveryId, uuidOf } from '../../base/ids.ts';
import { normalizeMailbox } from '../../leads/identity.rules.ts';
import { isEmail } from '../../platform/contact/email.rules.ts';
import { dialledDigits, isTypedNumber } from '../../platform/contact/typed-phone.rules.ts';
import type { EventType } from '../delivery.ts';
import { backwards, nameWords } from './search-terms.rules.ts';
import type { ContactQuery } from '../../leads/contact-query.rules.ts';

/** What a term has to be of: for a name any of those that begin with one of its words. */
export type TermKind = 'name' | 'email' | 'phone';

/** Terms from `low` on and before `high`, in the order of code points. */
export type TermRange = { readonly low: string; readonly high: string };

export type ParsedSearch = {
  /** By id or reference; `eventType` null where only its number is known. Null where the text can be neither. */
  readonly delivery:
    | { readonly deliveryId: DeliveryId }
    | { readonly refNumber: number; readonly eventType: EventType | null }
    | null;
  readonly kind: TermKind;
  /** Of a name one for each word, all of which it has to have; else one. None where the text is no term of a person. */
  readonly ranges: readonly TermRange[];
};

/** `too_short` is the end of a phone number that too many have. */
export type SearchReading =
  | { readonly ok: true; readonly parsed: ParsedSearch }
  | { readonly ok: false; readonly code: 'too_short' };

/** The end of a phone number: fewer digits would be anybody’s. */
const DIGITS_MIN = 4;

const DIGITS_MAX = 15;

const REFERENCE = /^(ls|ca)[\s\-–—#]*(\d{1,15})$/i;

const EVENT_TYPES = { ls: 'Lead Sale', ca: 'Calendar Assigned' } as const;

export function readSearch(text: string): SearchReading {
  // The database takes no NUL, and no term has one or another of its kind.
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

/** Bare digits may also be the number of a reference. */
function readNumber(text: string): SearchReading {
  if (text.replaceAll(/\D+/g, '').length < DIGITS_MIN) return { ok: false, code: 'too_short' };
  const refNumber = /^\d{1,15}$/.test(text) ? Number(text) : null;
  const delivery = refNumber === null ? null : { refNumber, eventType: null };
  const digits = dialledDigits(text);
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return found(delivery, 'phone', []);
  const term = backwards(digits);
  const isComplete = text.startsWith('+') && digits.length >= COMPLETE;
  return found(delivery, 'phone', [isComplete ? exactly(term) : beginningWith(term)]);
}

/** With its country's code a number is complete from here on; before, it is still being typed. */
const COMPLETE = 11;

/** A whole address in any spelling of its mailbox, or the beginning of one. */
function emailRange(text: string): TermRange {
  const term = normalizeMailbox(text);
  return isEmail(text) ? exactly(term) : beginningWith(term);
}

function exactly(term: string): TermRange {
  return { low: term, high: `${term}\u0001` };
}

/** U+10FFFF is no character: no term has it, and none that begins so comes after it. */
function beginningWith(term: string): TermRange {
  return { low: term, high: `${term}\u{10FFFF}` };
}

/** LIKE patterns of the words of a name, which are letters and digits only. The other terms are found by their range alone. */
export function wordPatterns({ kind, ranges }: ParsedSearch): string[] {
  return kind === 'name' ? ranges.map(({ low }) => `% ${low}%`) : [];
}

/** Null where the text names nobody by phone or e-mail. Names are looked for among sold leads only. */
export function personOfSearch({ kind, ranges }: ParsedSearch): ContactQuery | null {
  const [range] = ranges;
  if (range === undefined || kind === 'name') return null;
  const { low } = range;
  if (kind === 'phone') return { kind, digits: backwards(low), isWhole: isWhole(range) };
  return { kind, mailbox: low, isWhole: isWhole(range) };
}

/** Nothing but the term itself lies in the range. */
function isWhole({ low, high }: TermRange): boolean {
  return high === `${low}\u0001`;
}
