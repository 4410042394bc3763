// SQL of the sales figures of given partners, offers and suppliers, on the daily counts of leads and deliveries, and on single rows for
// the part of a day by which the first day of another time zone begins before or after a UTC day.
import { statement } from '../platform/database/database.ts';
import type { StatusCount } from './supplier-totals.rules.ts';

/** The UTC days $firstDay to $lastDay, and the rows of $partFrom ≤ time < $partUntil, each counted $partSign times: 1 or -1. */
export type CountedDays = {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly partFrom: Date;
  readonly partUntil: Date;
  readonly partSign: 1 | -1;
};

/** Sold means neither failed nor returned. */
const SOLD = `coalesce(sum(deliveries) FILTER (WHERE status IN ('Confirmed', 'Pending')), 0)::bigint AS sold,
  coalesce(sum(cents) FILTER (WHERE status IN ('Confirmed', 'Pending')), 0)::bigint AS "soldCents",
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

/** In UTC there is no part; without this condition PostgreSQL would look for its rows once per account. */
const HAS_PART = 'WHERE $partFrom < $partUntil';

/**
 * What was sold to the buyers $buyerKeys, by buyer or by offer; `condition` on columns that counts and deliveries have. Reads only the
 * columns that it needs: those of a buyer's counts are all in an index.
 */
const soldBy = (column: 'buyer_key' | 'offer_key', condition: string): string => `
   SELECT key, ${SOLD} FROM (
     SELECT ${column} AS key, status, deliveries, payout_cents AS cents FROM delivery_count
     WHERE buyer_key = ANY($buyerKeys::text[]) AND day BETWEEN $firstDay::date AND $lastDay::date AND ${condition}
     UNION ALL
     SELECT part.${column}, part.status, $partSign::int, $partSign::int * part.payout_cents
     FROM unnest($buyerKeys::text[]) AS wanted (buyer_key), LATERAL (
       SELECT * FROM delivery
       WHERE buyer_key = wanted.buyer_key AND delivered_at >= $partFrom AND delivered_at < $partUntil AND ${condition}) AS part
     ${HAS_PART}
   ) AS counted GROUP BY key`;

export const soldByBuyer = statement<CountedDays & { readonly buyerKeys: readonly string[] }, SoldRow>(
  'reports.sold_by_buyer',
  soldBy('buyer_key', 'true'),
);

/** $buyerKeys: the buyers of the offers, because the indexes begin with them. */
export const soldByOffer = statement<
  CountedDays & { readonly offerKeys: readonly string[]; readonly buyerKeys: readonly string[] },
  SoldRow
>('reports.sold_by_offer', soldBy('offer_key', 'offer_key = ANY($offerKeys::text[])'));

export const offersByBuyer = statement<
  { readonly keys: readonly string[] },
  { readonly key: string; readonly offers: number; readonly active: number }
>(
  'reports.offers_by_buyer',
  `SELECT buyer_key AS key, count(*) FILTER (WHERE status = 'active') AS active, count(*) AS offers
   FROM offer WHERE buyer_key = ANY($keys::text[]) GROUP BY buyer_key`,
);

export const countsBySupplier = statement<
  CountedDays & { readonly supplierKeys: readonly string[] },
  StatusCount & { readonly key: string }
>(
  'reports.counts_by_supplier',
  `SELECT supplier_key AS key, public_status AS "publicStatus", sum(leads)::bigint AS leads, sum(scored)::bigint AS scored,
          sum(score_sum)::bigint AS "scoreSum"
   FROM (
     SELECT supplier_key, public_status, leads, scored, score_sum FROM lead_count
     WHERE supplier_key = ANY($supplierKeys::text[]) AND day BETWEEN $firstDay::date AND $lastDay::date
     UNION ALL
     SELECT wanted.supplier_key, part.public_status, $partSign::int,
            $partSign::int * (part.score IS NOT NULL)::int, $partSign::int * coalesce(part.score, 0)
     FROM unnest($supplierKeys::text[]) AS wanted (supplier_key), LATERAL (
       SELECT public_status, score FROM lead
       WHERE supplier_key = wanted.supplier_key AND received_at >= $partFrom AND received_at < $partUntil AND NOT is_test) AS part
     ${HAS_PART}
   ) AS counted GROUP BY supplier_key, public_status`,
);
