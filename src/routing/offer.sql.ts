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
