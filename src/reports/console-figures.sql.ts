// The SQL of the figures beside the console's lists, on the counts that leads and deliveries keep: of some keys only, by UTC days.
import { statement } from '../platform/database/database.ts';

/** Sold: neither failed nor returned. */
const SOLD = `coalesce(sum(deliveries) FILTER (WHERE status IN ('Confirmed', 'Pending')), 0)::bigint AS sold,
  coalesce(sum(payout_cents) FILTER (WHERE status IN ('Confirmed', 'Pending')), 0)::bigint AS "soldCents",
  coalesce(sum(deliveries) FILTER (WHERE status = 'Returned'), 0)::bigint AS returned,
  coalesce(sum(deliveries) FILTER (WHERE status = 'Failed'), 0)::bigint AS failed`;

export const soldByBuyer = statement(
  'reports.sold_by_buyer',
  `SELECT buyer_key AS key, ${SOLD} FROM delivery_count
   WHERE buyer_key = ANY($1::text[]) AND day BETWEEN $2::date AND $3::date GROUP BY buyer_key`,
);

/** $4: the buyers of the offers, by whom the counts are found. */
export const soldByOffer = statement(
  'reports.sold_by_offer',
  `SELECT offer_key AS key, ${SOLD} FROM delivery_count
   WHERE buyer_key = ANY($4::text[]) AND offer_key = ANY($1::text[]) AND day BETWEEN $2::date AND $3::date GROUP BY offer_key`,
);

export const offersByBuyer = statement<
  { readonly keys: readonly string[] },
  { readonly key: string; readonly offers: number; readonly active: number }
>(
  'reports.offers_by_buyer',
  `SELECT buyer_key AS key, count(*) FILTER (WHERE status = 'active') AS active, count(*) AS offers
   FROM offer WHERE buyer_key = ANY($keys::text[]) GROUP BY buyer_key`,
);

export const countsBySupplier = statement(
  'reports.counts_by_supplier',
  `SELECT supplier_key AS key, public_status AS "publicStatus", sum(leads)::bigint AS leads, sum(scored)::bigint AS scored,
          sum(score_sum)::bigint AS "scoreSum"
   FROM lead_count WHERE supplier_key = ANY($1::text[]) AND day BETWEEN $2::date AND $3::date
   GROUP BY supplier_key, public_status`,
);
