// The statements on a buyer's endpoint being disabled and enabled.
import { statement } from '../platform/database/database.ts';

export const disableEndpointsSql = statement<
  { readonly buyerKeys: readonly string[]; readonly webhookUrls: readonly string[]; readonly now: Date },
  { buyerKey: string }
>(
  'buyers.disable_endpoints',
  `UPDATE buyer b SET endpoint_disabled_at = $now, updated_at = $now
   FROM unnest($buyerKeys::text[], $webhookUrls::text[]) AS gone (buyer_key, webhook_url)
   WHERE b.buyer_key = gone.buyer_key AND b.webhook_url = gone.webhook_url AND b.endpoint_disabled_at IS NULL
   RETURNING b.buyer_key AS "buyerKey"`,
);

export const enableEndpointSql = statement<{ readonly buyerKey: string; readonly now: Date }, { buyerKey: string }>(
  'buyers.enable_endpoint',
  `UPDATE buyer SET endpoint_disabled_at = NULL, updated_at = $now WHERE buyer_key = $buyerKey AND endpoint_disabled_at IS NOT NULL
   RETURNING buyer_key AS "buyerKey"`,
);
