// The SQL that adds up what lists show: a partner's deliveries, and the sales of leads.
import { statement } from '../platform/database/database.ts';
import type { DeliveryId, LeadId } from '../base/ids.ts';
import { forEachFilter, listed } from './row-filter.sql.ts';

export type DeliverySums = { rows: number; cents: number };
const CENTS = `coalesce(sum(payout_cents) FILTER (WHERE status = 'Confirmed'), 0)::bigint AS cents`;
const SUMS = `count(*) AS rows, ${CENTS}`;

/** The sums of at most $atMost of the deliveries that `selectPage` lists; money of the confirmed ones. */
export const sumListed = forEachFilter((name, condition) =>
  statement<
    { readonly buyerKey: string; readonly from: Date; readonly until: Date; readonly atMost: number },
    DeliverySums
  >(
    `deliveries.sum_${name}`,
    `SELECT ${SUMS} FROM (
       SELECT status, payout_cents FROM delivery WHERE ${listed(condition)}
       ORDER BY delivered_at DESC, delivery_id DESC LIMIT $atMost) AS listed`,
  ),
);

export const sumFound = statement<{ readonly buyerKey: string; readonly ids: readonly DeliveryId[] }, DeliverySums>(
  'deliveries.sum_found',
  `SELECT ${SUMS} FROM delivery WHERE buyer_key = $buyerKey AND delivery_id = ANY($ids::uuid[])`,
);

/** Of leads: those with a delivery that did not fail, and the money of the confirmed deliveries. */
export const sumSalesOfLeads = statement<{ readonly leadIds: readonly LeadId[] }, { sold: number; cents: number }>(
  'deliveries.sum_of_leads',
  `SELECT count(DISTINCT d.lead_id) FILTER (WHERE d.status <> 'Failed') AS sold, ${CENTS}
   FROM unnest($leadIds::uuid[]) AS u (lead_id) CROSS JOIN LATERAL (
     SELECT * FROM delivery WHERE lead_id = u.lead_id OFFSET 0) AS d`,
);
