// Checks the definition of a list: its use fits its kind and owner, and the partners and offers that it names exist (contract 15.1).
import type { ListDefinition } from './list.ts';

/** The configuration that a definition may name: the partner of each offer by its key. */
export type KnownKeys = { readonly partners: ReadonlySet<string>; readonly offers: ReadonlyMap<string, string> };

export type DefinitionFault = {
  readonly code: 'list_use_unfit' | 'list_names_nobody' | 'unknown_partner' | 'unknown_offer';
  /** The member of the definition. */
  readonly field: 'use' | 'partners' | 'offers';
  readonly message: string;
};

/** A partner's list is for that partner unless it names offers. */
export function targetsOf({ buyerKey, partners, offers }: Pick<ListDefinition, 'buyerKey' | 'partners' | 'offers'>) {
  return { partners: buyerKey !== null && partners.length + offers.length === 0 ? [buyerKey] : partners, offers };
}

export const LIST_KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function definitionFault(
  { kind, use, buyerKey, partners, offers }: ListDefinition,
  known: KnownKeys,
): DefinitionFault | null {
  if (use === 'sold' && kind !== 'phone' && kind !== 'email') {
    return fault('list_use_unfit', 'use', 'Only phones and email addresses can count as sold.');
  }
  if (buyerKey !== null && use !== 'exclude') {
    return fault('list_use_unfit', 'use', 'A list of a partner can only exclude.');
  }
  if (use === 'suppress' && partners.length + offers.length > 0) {
    return fault('list_use_unfit', 'use', 'A list that suppresses counts for all partners and names none.');
  }
  if (use === 'sold' && offers.length > 0) {
    return fault('list_use_unfit', 'offers', 'A list of sold leads counts for partners and names no offer.');
  }
  if (use === 'exclude' && partners.length + offers.length === 0) {
    return fault('list_names_nobody', 'partners', 'A list that excludes must name a partner or an offer.');
  }
  const stranger = partners.find((key) => !known.partners.has(key) || (buyerKey !== null && key !== buyerKey));
  if (stranger !== undefined) return fault('unknown_partner', 'partners', `There is no partner "${stranger}".`);
  const unknown = offers.find((key) => {
    const owner = known.offers.get(key);
    return owner === undefined || (buyerKey !== null && owner !== buyerKey);
  });
  return unknown === undefined ? null : fault('unknown_offer', 'offers', `There is no offer "${unknown}".`);
}

function fault(code: DefinitionFault['code'], field: DefinitionFault['field'], message: string): DefinitionFault {
  return { code, field, message };
}
