// SQL of the sales figures of given partners, offers and suppliers, on the daily counts of leads and deliveries.
import { statement } from '../platform/database/database.ts';
import type { StatusCount } from './supplier-totals.rules.ts';

/** Sold means neither failed nor returned. */
const SOLD = `coalesce(sum(deliveries) FILTER (WHERE status IN ('Confirmed', 'Pending')), 0)::bigint AS sold,
  coalesce(sum(payout_cents) FILTER (WHERE status IN ('Confirmed', 'Pending')), 0)::bigint AS "soldCents",
  coalesce(sum(deliveries) FILTER (WHERE status = 'Returned'), 0)::bigint AS returned,
  coalesce(sum(deliveries) FILTER (WHERE status = 'Failed'), 0)::bigint AS failed`;

export type SoldRow = {
  /** The key of the partner or the offer. */
  readonly key: string;
  readonly sold: number;
  readonly soldCents: number;
  readonly returned: number;
  readonly failed: number;
};

export const soldByBuyer = statement<
  { readonly buyerKeys: readonly string[]; readonly firstDay: string; readonly lastDay: string },
  SoldRow
>(
  'reports.sold_by_buyer',
  `SELECT buyer_key AS key, ${SOLD} FROM delivery_count
   WHERE buyer_key = ANY($buyerKeys::text[]) AND day BETWEEN $firstDay::date AND $lastDay::date GROUP BY buyer_key`,
);

/** $buyerKeys: the buyers of the offers, because the index on the counts begins with them. */
export const soldByOffer = statement<
  {
    readonly offerKeys: readonly string[];
    readonly buyerKeys: readonly string[];
    readonly firstDay: string;
    readonly lastDay: string;
  },
  SoldRow
>(
  'reports.sold_by_offer',
  `SELECT offer_key AS key, ${SOLD} FROM delivery_count
   WHERE buyer_key = ANY($buyerKeys::text[]) AND offer_key = ANY($offerKeys::text[]) AND day BETWEEN $firstDay::date AND $lastDay::date
   GROUP BY offer_key`,
);

export const offersByBuyer = statement<
  { readonly keys: readonly string[] },
  { readonly key: string; readonly offers: number; readonly active: number }
>(
  'reports.offers_by_buyer',
  `SELECT buyer_key AS key, count(*) FILTER (WHERE status = 'active') AS active, count(*) AS offers
   FROM offer WHERE buyer_key = ANY($keys::text[]) GROUP BY buyer_key`,
);

export const countsBySupplier = statement<
  { readonly supplierKeys: readonly string[]; readonly firstDay: string; readonly lastDay: string },
  StatusCount & { readonly key: string }
>(
  'reports.counts_by_supplier',
  `SELECT supplier_key AS key, public_status AS "publicStatus", sum(leads)::bigint AS leads, sum(scored)::bigint AS scored,
          sum(score_sum)::bigint AS "scoreSum"
   FROM lead_count WHERE supplier_key = ANY($supplierKeys::text[]) AND day BETWEEN $firstDay::date AND $lastDay::date
   GROUP BY supplier_key, public_status`,
);
