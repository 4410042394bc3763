// SQL of the names that the keys of a report stand for.
import { statement } from '../platform/database/database.ts';

type Named = { readonly key: string; readonly name: string };

/** By dimension. A partner's role may read its own offers only. */
export const namesOfKeys = {
  supplier: statement<{ readonly keys: readonly string[] }, Named>(
    'reports.supplier_names',
    'SELECT supplier_key AS key, name FROM supplier WHERE supplier_key = ANY($keys::text[])',
  ),
  partner: statement<{ readonly keys: readonly string[] }, Named>(
    'reports.partner_names',
    'SELECT buyer_key AS key, name FROM buyer WHERE buyer_key = ANY($keys::text[])',
  ),
  offer: statement<{ readonly keys: readonly string[] }, Named>(
    'reports.offer_names',
    `SELECT offer_key AS key, definition ->> 'name' AS name FROM offer WHERE offer_key = ANY($keys::text[])`,
  ),
} as const;
