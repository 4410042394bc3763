// The statements on a buyer's endpoint being disabled and enabled.
import { statement } from '../platform/database/database.ts';

export const disableEndpointsSql = statement(
  'buyers.disable_endpoints',
  `UPDATE buyer SET endpoint_disabled_at = $2, updated_at = $2
   WHERE buyer_key = ANY($1::text[]) AND endpoint_disabled_at IS NULL RETURNING buyer_key AS "buyerKey"`,
);

export const enableEndpointSql = statement(
  'buyers.enable_endpoint',
  `UPDATE buyer SET endpoint_disabled_at = NULL, updated_at = $2 WHERE buyer_key = $1 AND endpoint_disabled_at IS NOT NULL
   RETURNING buyer_key AS "buyerKey"`,
);
