// Words for lists, their kinds and uses.
import type { ListView } from '../../../src/scopes/lists.schema.ts';

export const LIST_KINDS: Readonly<
  Record<ListView['kind'], { readonly title: string; readonly one: string; readonly many: string }>
> = {
  phone: { title: 'Phone numbers', one: 'phone number', many: 'phone numbers' },
  email: { title: 'Email addresses', one: 'email address', many: 'email addresses' },
  domain: { title: 'Domains', one: 'domain', many: 'domains of email addresses' },
  zip: { title: 'Zip codes', one: 'zip code', many: 'zip codes' },
};

export const LIST_USES: Readonly<Record<ListView['use'], { readonly title: string; readonly meaning: string }>> = {
  suppress: {
    title: 'Suppress',
    meaning: 'Leads on the list are sold to nobody. The supplier is told that they are suppressed.',
  },
  exclude: {
    title: 'Exclude',
    meaning: 'Leads on the list are not sold to the partners and offers that it names.',
  },
  sold: {
    title: 'Sold before',
    meaning: 'Leads on the list count as duplicates: for the partners that it names, or for all.',
  },
};
