// Which leads are about a phone number or e-mail address, whole or in part: patterns for the database, which find too many, and the
// judgement on each of those. The console's search and erasure share both.
import type { LeadFields } from './lead-fields.ts';
import { isPersonInText, type PersonInText } from './person-in-text.rules.ts';
import { sameMailbox } from './same-mailbox.rules.ts';

/** Digits with which a number ends, in their order; `isWhole`: there are no more before them. */
type PhoneQuery = { readonly kind: 'phone'; readonly digits: string; readonly isWhole: boolean };
/** In small letters, without a tag and with the `@`; `isWhole`: not only its beginning. */
type EmailQuery = { readonly kind: 'email'; readonly mailbox: string; readonly isWhole: boolean };
/** At most one of each kind is asked for at once. */
export type PersonQuery = PhoneQuery | EmailQuery;

export type Contact = {
  /** E.164. */
  readonly phone: string | null;
  readonly email: string | null;
};

export type PersonPatterns = {
  /** For LIKE, in small letters. */
  readonly fields: string;
  /** For LIKE, of the text of a body that has no fields. Null finds nothing. */
  readonly body: string | null;
  /** A regular expression of digits in such a body, with anything else between them. Null finds nothing. */
  readonly digits: string | null;
};

/** What is stored of a lead: of a refused submission its text, of any other one the fields; neither where it is erased. */
export type StoredText = { readonly fields: LeadFields | null; readonly refusedText: string | null };

/** Fewer digits stand in every body, in some time or some id. */
const NATIONAL_DIGITS = 10;

/** A phone and an e-mail each find leads on their own. */
export function queriesOf({ phone, email }: Contact): PersonQuery[] {
  return [
    ...(phone === null ? [] : [{ kind: 'phone' as const, digits: phone.replaceAll(/\D+/g, ''), isWhole: true }]),
    ...(email === null ? [] : [{ kind: 'email' as const, mailbox: sameMailbox(email), isWhole: true }]),
  ];
}

export function patternsOf(query: PersonQuery): PersonPatterns {
  if (query.kind === 'phone') {
    const { digits, isWhole } = query;
    const national = nationalDigits(query);
    return {
      fields: `%"phone":"+${isWhole ? '' : '%'}${digits}"%`,
      body: null,
      digits: national === null ? null : [...national].join('[^0-9]*'),
    };
  }
  const { mailbox, isWhole } = query;
  const at = mailbox.lastIndexOf('@');
  // A tag may stand before the sign.
  const pattern = `${literal(mailbox.slice(0, at))}%${literal(mailbox.slice(at))}`;
  return { fields: `%"email":"${pattern}${isWhole ? '"' : ''}%`, body: `%${pattern}%`, digits: null };
}

/** Whether one of the queries finds it. */
export function isAboutPerson(queries: readonly PersonQuery[], { fields, refusedText }: StoredText): boolean {
  if (fields === null) return refusedText !== null && isPersonInText(refusedText, wantedInText(queries));
  const { phone, email } = fields;
  return queries.some((query) =>
    query.kind === 'phone'
      ? phone !== null && isNumber(query, phone.slice(1))
      : email !== null && isMailbox(query, email),
  );
}

function isNumber({ digits, isWhole }: PhoneQuery, number: string): boolean {
  return isWhole ? number === digits : number.endsWith(digits);
}

function isMailbox({ mailbox, isWhole }: EmailQuery, address: string): boolean {
  const known = sameMailbox(address);
  return isWhole ? known === mailbox : known.startsWith(mailbox);
}

function wantedInText(queries: readonly PersonQuery[]): PersonInText {
  const phone = queries.find((query) => query.kind === 'phone');
  const email = queries.find((query) => query.kind === 'email');
  return { email: email ?? null, nationalDigits: phone === undefined ? null : nationalDigits(phone) };
}

/** What is refused is often refused for lacking its country's code. Null for too few digits. */
function nationalDigits({ digits, isWhole }: PhoneQuery): string | null {
  const national = digits.slice(-NATIONAL_DIGITS);
  // Of a short number of a small country all digits are known.
  return national.length === NATIONAL_DIGITS || isWhole ? national : null;
}

function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
