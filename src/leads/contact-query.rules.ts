// Matches leads by a phone number or email address, whole or in part, or by words of a name: patterns for the database, which find too many, and the exact check.
// The console's search and erasure share both.
import type { LeadFields } from './lead-fields.ts';
import { containsContact, type TextContact } from './contact-in-text.rules.ts';
import { normalizeMailbox } from './identity.rules.ts';
import { wordsOf } from './name-words.ts';
import { everyName } from './person-name.rules.ts';

/** The last digits of a number, or all of them (`isWhole`). */
type PhoneQuery = { readonly kind: 'phone'; readonly digits: string; readonly isWhole: boolean };
/** In lower case, without a tag, with the `@`: the beginning of an address, or all of it (`isWhole`). */
type EmailQuery = { readonly kind: 'email'; readonly mailbox: string; readonly isWhole: boolean };
/** Beginnings of words of the name, in any order, normalized as `nameWords`. At least one. */
type NameQuery = { readonly kind: 'name'; readonly words: readonly string[] };
/** A search has at most one query of each kind. */
export type ContactQuery = PhoneQuery | EmailQuery | NameQuery;

export type Contact = {
  /** E.164. */
  readonly phone: string | null;
  readonly email: string | null;
};

export type ContactPatterns = {
  /** For LIKE on the fields with the letters of ASCII in lower case. */
  readonly fields: string;
  /** For LIKE on the fields as they are: finds more, in a third of the time, so it is looked at first. */
  readonly shape: string;
  /** For LIKE on the text of a rejected submission. Null finds nothing. */
  readonly body: string | null;
  /** A regular expression for digits in such a text, with any other characters between them. Null finds nothing. */
  readonly digits: string | null;
};

/** The fields of an accepted lead, or the text of a rejected submission; neither if it is erased. */
export type StoredText = { readonly fields: LeadFields | null; readonly refusedText: string | null };

/** Fewer digits would match times or ids in almost every body. */
const NATIONAL_DIGITS = 10;

/** One query per given value; leads match if one of them does. */
export function contactQueries({ phone, email }: Contact): ContactQuery[] {
  return [
    ...(phone === null ? [] : [{ kind: 'phone' as const, digits: phone.replaceAll(/\D+/g, ''), isWhole: true }]),
    ...(email === null ? [] : [{ kind: 'email' as const, mailbox: normalizeMailbox(email), isWhole: true }]),
  ];
}

export function contactPatterns(query: ContactQuery): ContactPatterns {
  if (query.kind === 'phone') {
    const { digits, isWhole } = query;
    const national = nationalDigits(query);
    const fields = `%"phone":"+${isWhole ? '' : '%'}${digits}"%`;
    return {
      fields,
      shape: fields,
      body: null,
      digits: national === null ? null : [...national].join('[^0-9]*'),
    };
  }
  if (query.kind === 'name') {
    const pattern = nameLike(query);
    return { fields: `%"fullname":"%${pattern}%`, shape: '%', body: `%${pattern}%`, digits: null };
  }
  const { mailbox, isWhole } = query;
  const at = mailbox.lastIndexOf('@');
  // There may be a tag before the `@`.
  const pattern = `${literal(mailbox.slice(0, at))}%${literal(mailbox.slice(at))}`;
  const inFields = (text: string): string => `%"email":"${text}${isWhole ? '"' : ''}%`;
  // A letter may be stored in the other case; digits, dots and the length of the parts may not.
  const shape = inFields(pattern.replaceAll(/[a-z]/g, '_'));
  return { fields: inFields(pattern), shape, body: `%${pattern}%`, digits: null };
}

/** Whether the lead matches one of the queries. */
export function matchesContact(queries: readonly ContactQuery[], { fields, refusedText }: StoredText): boolean {
  if (fields === null) {
    if (refusedText === null) return false;
    return (
      containsContact(refusedText, textContact(queries)) || queries.some((query) => matchesName(query, refusedText))
    );
  }
  const { phone, email } = fields;
  return queries.some((query) => {
    if (query.kind === 'name') return matchesName(query, everyName(fields));
    return query.kind === 'phone'
      ? phone !== null && matchesNumber(query, phone.slice(1))
      : email !== null && matchesMailbox(query, email);
  });
}

function matchesName(query: ContactQuery, text: string): boolean {
  if (query.kind !== 'name') return false;
  const known = wordsOf(text);
  return query.words.every((word) => known.some((one) => one.startsWith(word)));
}

/**
 * The longest word, as it may be written in the stored text: any character stands for letters that may have an accent there, and for what is no
 * letter of ASCII.
 */
function nameLike({ words }: NameQuery): string {
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '');
  return longest.replaceAll(/[^bdfhjkmpqvwx0-9]/g, '_');
}

function matchesNumber({ digits, isWhole }: PhoneQuery, number: string): boolean {
  return isWhole ? number === digits : number.endsWith(digits);
}

function matchesMailbox({ mailbox, isWhole }: EmailQuery, address: string): boolean {
  const known = normalizeMailbox(address);
  return isWhole ? known === mailbox : known.startsWith(mailbox);
}

function textContact(queries: readonly ContactQuery[]): TextContact {
  const phone = queries.find((query) => query.kind === 'phone');
  const email = queries.find((query) => query.kind === 'email');
  return { email: email ?? null, nationalDigits: phone === undefined ? null : nationalDigits(phone) };
}

/** Without country code, because submissions are often rejected for lacking it. Null for too few digits. */
function nationalDigits({ digits, isWhole }: PhoneQuery): string | null {
  const national = digits.slice(-NATIONAL_DIGITS);
  // A whole number may be shorter in small countries.
  return national.length === NATIONAL_DIGITS || isWhole ? national : null;
}

function literal(text: string): string {
  // Letters beyond ASCII may be stored in the other case.
  return text.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/\P{ASCII}/gu, '_');
}
