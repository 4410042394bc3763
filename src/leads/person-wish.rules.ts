// Which leads are about the phone number or e-mail address that somebody typed, whole or in part: as patterns that find too many, and as
// the judgement on each.
import type { LeadFields } from './lead-fields.ts';
import { sameMailbox } from './same-mailbox.rules.ts';

export type PersonWish =
  /** Digits with which a number ends, in their order; `isWhole`: there are no more before them. */
  | { readonly kind: 'phone'; readonly digits: string; readonly isWhole: boolean }
  /** In small letters and without a tag; `isWhole`: not only its beginning. */
  | { readonly kind: 'email'; readonly mailbox: string; readonly isWhole: boolean };

/** For LIKE, in small letters. Null finds nothing. */
export type PersonPatterns = {
  readonly fields: string;
  /** Of the text of a body that has no fields. */
  readonly body: string | null;
  /** Of all digits of such a body. */
  readonly digits: string | null;
};

/** Fewer digits stand in every body, in some time or some id. */
const NATIONAL_DIGITS = 10;

export function patternsOf(wish: PersonWish): PersonPatterns {
  if (wish.kind === 'phone') {
    const { digits, isWhole } = wish;
    const isEnough = digits.length >= NATIONAL_DIGITS;
    return {
      fields: `%"phone":"+${isWhole ? '' : '%'}${digits}"%`,
      body: null,
      digits: isEnough ? `%${digits.slice(-NATIONAL_DIGITS)}%` : null,
    };
  }
  const { mailbox, isWhole } = wish;
  const at = mailbox.indexOf('@');
  const name = at === -1 ? mailbox : mailbox.slice(0, at);
  // A tag may stand before the sign.
  const pattern = at === -1 ? literal(name) : `${literal(name)}%${literal(mailbox.slice(at))}`;
  return { fields: `%"email":"${pattern}${isWhole ? '"' : ''}%`, body: `%${pattern}%`, digits: null };
}

export function isAboutPerson(
  wish: PersonWish,
  { fields, rawBody }: { readonly fields: LeadFields | null; readonly rawBody: string | null },
): boolean {
  if (fields === null) return rawBody !== null && isNamedIn(wish, rawBody);
  if (wish.kind === 'phone') return fields.phone !== null && isNumber(wish, fields.phone.slice(1));
  return fields.email !== null && isMailbox(wish, fields.email);
}

function isNumber({ digits, isWhole }: Extract<PersonWish, { kind: 'phone' }>, number: string): boolean {
  return isWhole ? number === digits : number.endsWith(digits);
}

function isMailbox({ mailbox, isWhole }: Extract<PersonWish, { kind: 'email' }>, address: string): boolean {
  const known = sameMailbox(address);
  return isWhole ? known === mailbox : known.startsWith(mailbox);
}

// What is refused may have any form, so every text in it counts that looks like an address.
const ADDRESSES = /[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+/giu;

function isNamedIn(wish: PersonWish, body: string): boolean {
  if (wish.kind === 'email') return (body.match(ADDRESSES) ?? []).some((address) => isMailbox(wish, address));
  // What is refused is often refused for lacking its country's code.
  const national = wish.digits.slice(-NATIONAL_DIGITS);
  return national.length === NATIONAL_DIGITS && body.replaceAll(/\D/g, '').includes(national);
}

function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
