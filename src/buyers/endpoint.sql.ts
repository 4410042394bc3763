// The statements on a buyer's endpoint being disabled and enabled.
import { statement } from '../platform/database/database.ts';

export const disableEndpointsSql = statement(
  'buyers.disable_endpoints',
  `UPDATE buyer b SET endpoint_disabled_at = $3, updated_at = $3
   FROM unnest($1::text[], $2::text[]) AS gone (buyer_key, webhook_url)
   WHERE b.buyer_key = gone.buyer_key AND b.webhook_url = gone.webhook_url AND b.endpoint_disabled_at IS NULL
   RETURNING b.buyer_key AS "buyerKey"`,
);

export const enableEndpointSql = statement(
  'buyers.enable_endpoint',
  `UPDATE buyer SET endpoint_disabled_at = NULL, updated_at = $2 WHERE buyer_key = $1 AND endpoint_disabled_at IS NOT NULL
   RETURNING buyer_key AS "buyerKey"`,
);
