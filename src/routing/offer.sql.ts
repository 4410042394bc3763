// SQL on offers.
import { statement } from '../platform/database/database.ts';
import type { Offer } from './offer.ts';

export type OfferRow = Pick<Offer, 'offerKey' | 'buyerKey' | 'status'> & { readonly definition: Offer };

export const readOffersSql = statement<void, OfferRow>(
  'routing.readOffers',
  `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition FROM offer ORDER BY offer_key`,
);

export const readOffersBelowSql = statement<{ readonly cents: number }, OfferRow>(
  'routing.readOffersBelow',
  `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition FROM offer
   WHERE status <> 'closed' AND (definition ->> 'payoutCents')::bigint < $cents ORDER BY offer_key`,
);

export const saveOffersSql = statement<{
  readonly offerKeys: readonly string[];
  readonly buyerKeys: readonly string[];
  readonly statuses: readonly string[];
  readonly definitions: readonly string[];
  readonly now: Date;
}>(
  'routing.saveOffers',
  `INSERT INTO offer (offer_key, buyer_key, status, definition, created_at, updated_at)
   SELECT offer_key, buyer_key, status, definition::jsonb, $now, $now
     FROM unnest($offerKeys::text[], $buyerKeys::text[], $statuses::text[], $definitions::text[]) AS saved (offer_key, buyer_key, status, definition)
   ON CONFLICT (offer_key) DO UPDATE
     SET status = EXCLUDED.status, definition = EXCLUDED.definition, updated_at = EXCLUDED.updated_at`,
);

export const readOffersOfBuyerSql = statement<{ readonly buyerKey: string }, OfferRow>(
  'routing.readOffersOfBuyer',
  `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition FROM offer WHERE buyer_key = $buyerKey ORDER BY offer_key`,
);

// The search text is looked up in key and name, ignoring case; `strpos` has no wildcards that would need escaping.
type Wanted = { readonly search: string | null; readonly status: string | null; readonly buyerKey: string | null };

const WANTED = `($search::text IS NULL OR strpos(offer_key, lower($search)) > 0 OR strpos(lower(definition ->> 'name'), lower($search)) > 0)
      AND ($status::text IS NULL OR status = $status) AND ($buyerKey::text IS NULL OR buyer_key = $buyerKey)`;

export const countWantedOffersSql = statement<Wanted, { total: number }>(
  'routing.countWantedOffers',
  `SELECT count(*) AS total FROM offer WHERE ${WANTED}`,
);

export const listOffersSql = statement<Wanted & { readonly pageSize: number; readonly offset: number }, OfferRow>(
  'routing.listOffers',
  `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition FROM offer
    WHERE ${WANTED} ORDER BY offer_key LIMIT $pageSize OFFSET $offset`,
);

export const countOffersOfVerticalsSql = statement<void, { vertical: string; offers: number }>(
  'routing.countOffersOfVerticals',
  `SELECT definition ->> 'vertical' AS vertical, count(*) AS offers FROM offer
    WHERE status <> 'closed' AND definition ->> 'vertical' IS NOT NULL GROUP BY 1`,
);

export const readSomeOffersSql = statement<{ readonly keys: readonly string[] }, OfferRow>(
  'routing.readSomeOffers',
  `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition FROM offer WHERE offer_key = ANY($keys::text[])
   ORDER BY offer_key`,
);
