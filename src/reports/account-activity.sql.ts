// SQL of what partners and suppliers of one page of a list did last: one probe of an index for each of them.
import { statement } from '../platform/database/database.ts';

export const lastLeadsOfBuyers = statement<{ readonly buyerKeys: readonly string[] }, { key: string; at: Date }>(
  'reports.last_leads_of_buyers',
  `SELECT listed.key, latest.at FROM unnest($buyerKeys::text[]) AS listed (key)
   CROSS JOIN LATERAL (
     SELECT delivered_at AS at FROM delivery WHERE buyer_key = listed.key ORDER BY delivered_at DESC, delivery_id DESC LIMIT 1) AS latest`,
);

export const lastLeadsOfSuppliers = statement<{ readonly supplierKeys: readonly string[] }, { key: string; at: Date }>(
  'reports.last_leads_of_suppliers',
  `SELECT listed.key, latest.at FROM unnest($supplierKeys::text[]) AS listed (key)
   CROSS JOIN LATERAL (
     SELECT received_at AS at FROM lead WHERE supplier_key = listed.key ORDER BY lead_id DESC LIMIT 1) AS latest`,
);

/** Channels with failures since their last success; those that are not in use any more are not counted. */
export const unhealthyChannels = statement<
  { readonly buyerKeys: readonly string[] },
  { key: string; isFailing: boolean }
>(
  'reports.unhealthy_channels',
  `SELECT h.owner_key AS key, bool_or(h.opened_at IS NOT NULL) AS "isFailing"
   FROM endpoint_health h JOIN buyer b ON b.buyer_key = h.owner_key AND h.channel = ANY(b.channels)
   WHERE h.owner_kind = 'buyer' AND h.owner_key = ANY($buyerKeys::text[]) AND h.failures > 0 GROUP BY h.owner_key`,
);
