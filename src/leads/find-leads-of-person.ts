// Finds the leads of a person by phone or e-mail, some thousand leads at a time: nothing is indexed by what would name people, and
// it is asked for some times a week (decision 021).
import { FIRST_ID } from '../base/id-time.ts';
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { LeadFields } from './lead-fields.ts';
import { selectContacts } from './lead.sql.ts';
import { hashesOf } from './person-hash.ts';
import { sameMailbox } from './same-mailbox.rules.ts';

export type Contact = {
  /** E.164. */
  readonly phone: string | null;
  readonly email: string | null;
};

export type PersonSearch = {
  readonly contact: Contact;
  readonly pepper: Buffer;
  /** Null for the first leads of all. */
  readonly after: Uuid | null;
};

type Candidate = { leadId: Uuid; text: string; isRefused: boolean };
type Row = { lastId: Uuid | null; candidates: Candidate[] };

/** Some tenths of a second, so that a search of millions can tell how far it is. */
const AT_ONCE = 50_000;

/** `next` is where to go on after; null when there is nothing more. A phone and an e-mail each find leads on their own. */
export async function findLeadsOfPerson(
  tx: Tx,
  { contact, pepper, after }: PersonSearch,
  atOnce = AT_ONCE,
): Promise<{ readonly found: readonly Uuid[]; readonly next: Uuid | null }> {
  const { phone, email } = contact;
  const [row] = await tx.query<Row>(selectContacts, [
    after ?? FIRST_ID,
    atOnce,
    email === null ? null : `%"email":"${mailboxPattern(email)}"%`,
    phone === null ? null : `%"phone":"${literal(phone)}"%`,
    email === null ? null : `%${mailboxPattern(email)}%`,
    phone === null ? null : `%${nationalDigits(phone)}%`,
  ]);
  if (row === undefined) return { found: [], next: null };
  const found = row.candidates.filter((candidate) => isAbout(candidate, contact, pepper));
  return { found: found.map(({ leadId }) => leadId), next: row.lastId };
}

function isAbout({ text, isRefused }: Candidate, contact: Contact, pepper: Buffer): boolean {
  if (isRefused) return isNamedIn(text, contact);
  const of = hashesOf(pepper, JSON.parse(text) as LeadFields);
  const wanted = hashesOf(pepper, contact);
  return (wanted.phone !== null && of.phone === wanted.phone) || (wanted.email !== null && of.email === wanted.email);
}

// Whatever looks like an address. What is refused may have any form, so that every text in it counts.
const ADDRESSES = /[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+/giu;

function isNamedIn(body: string, { phone, email }: Contact): boolean {
  if (phone !== null && body.replaceAll(/\D/g, '').includes(nationalDigits(phone))) return true;
  return email !== null && (body.match(ADDRESSES) ?? []).some((address) => sameMailbox(address) === sameMailbox(email));
}

/** Every spelling of one mailbox: with any tag after a plus. */
function mailboxPattern(email: string): string {
  const mailbox = sameMailbox(email);
  const at = mailbox.lastIndexOf('@');
  return `${literal(mailbox.slice(0, at))}%${literal(mailbox.slice(at))}`;
}

/** The last ten digits: what is refused is often refused for lacking its country's code. */
function nationalDigits(phone: string): string {
  return phone.replaceAll(/\D/g, '').slice(-10);
}

function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
