// The SQL that compares what is held of partners' money with the deliveries it is held for.
import { statement } from '../platform/database/database.ts';

/** One statement, so that both are of one instant. */
export const countWrongHolds = statement<void, { partners: number }>(
  'deliveries.count_wrong_holds',
  `WITH pending AS (SELECT buyer_key, sum(payout_cents) AS cents FROM delivery WHERE status = 'Pending' GROUP BY buyer_key)
   SELECT count(*) AS partners FROM (SELECT buyer_key, held_cents FROM account WHERE kind = 'buyer') AS held
   FULL JOIN pending USING (buyer_key) WHERE coalesce(held.held_cents, 0) <> coalesce(pending.cents, 0)`,
);
