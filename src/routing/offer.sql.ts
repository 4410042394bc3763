// The statements on offer.
import { statement } from '../platform/database/database.ts';

export const readOffersSql = statement(
  'routing.readOffers',
  `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition FROM offer ORDER BY offer_key`,
);

export const saveOffersSql = statement(
  'routing.saveOffers',
  `INSERT INTO offer (offer_key, buyer_key, status, definition, created_at, updated_at)
   SELECT offer_key, buyer_key, status, definition::jsonb, $5, $5
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS saved (offer_key, buyer_key, status, definition)
   ON CONFLICT (offer_key) DO UPDATE
     SET status = EXCLUDED.status, definition = EXCLUDED.definition, updated_at = EXCLUDED.updated_at`,
);

export const readOffersOfBuyerSql = statement(
  'routing.readOffersOfBuyer',
  `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition FROM offer WHERE buyer_key = $1 ORDER BY offer_key`,
);

// Words are looked for in keys and name, in any case; `strpos` has no patterns that a word could be taken for.
const WANTED = `($1::text IS NULL OR strpos(offer_key, lower($1)) > 0 OR strpos(lower(definition ->> 'name'), lower($1)) > 0)
      AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR buyer_key = $3)`;

export const countWantedOffersSql = statement(
  'routing.countWantedOffers',
  `SELECT count(*) AS total FROM offer WHERE ${WANTED}`,
);

export const listOffersSql = statement(
  'routing.listOffers',
  `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition FROM offer
    WHERE ${WANTED} ORDER BY offer_key LIMIT $4 OFFSET $5`,
);

export const readSomeOffersSql = statement(
  'routing.readSomeOffers',
  `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition FROM offer WHERE offer_key = ANY($1::text[])
   ORDER BY offer_key`,
);
