// The values of a lead that are looked up in lists, normalised as the lists are (contract 15.2).
import type { LeadFields } from '../leads/lead-fields.ts';
import { domainsOf, mailboxSpellings, phoneSpellings, zipSpellings } from './list-value.rules.ts';
import type { ListKind } from './list.ts';

export type LookedUpValue = {
  readonly kind: ListKind;
  readonly text: string;
  /** Whether it comes from a field of the vertical and not from the lead's own contact. */
  readonly isOwnField: boolean;
};

/** Only of the given kinds. */
export function lookedUpValues(fields: LeadFields, kinds: ReadonlySet<ListKind>): LookedUpValue[] {
  const found: LookedUpValue[] = [];
  const add = (kind: ListKind, texts: readonly string[], isOwnField: boolean): void => {
    if (kinds.has(kind)) found.push(...texts.map((text) => ({ kind, text, isOwnField })));
  };
  const addEmail = (email: string, isOwnField: boolean): void => {
    if (kinds.has('email')) add('email', mailboxSpellings(email), isOwnField);
    if (kinds.has('domain')) add('domain', domainsOf(email), isOwnField);
  };
  if (fields.phone !== null) add('phone', phoneSpellings(fields.phone), false);
  if (fields.email !== null) addEmail(fields.email, false);
  for (const { type, value } of Object.values(fields.own ?? {})) {
    if (typeof value !== 'string') continue;
    if (type === 'phone') add('phone', phoneSpellings(value), true);
    else if (type === 'email') addEmail(value, true);
    else if (type === 'zip') add('zip', zipSpellings(value), true);
  }
  return found;
}
