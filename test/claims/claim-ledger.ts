// Compares the stored claims with deliveries, caps and ledger entries.
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { select } from '../support/ledger-faults.ts';

/** Each query finds rows that contradict its sentence. */
const SENTENCES: Readonly<Record<string, string>> = {
  'a delivery is Returned exactly if it has one approved claim': `
    SELECT d.delivery_id, d.status, c.approved FROM delivery d
    LEFT JOIN (SELECT delivery_id, count(*) AS approved FROM claim WHERE status = 'approved' GROUP BY 1) c USING (delivery_id)
    WHERE (d.status = 'Returned') <> (coalesce(c.approved, 0) = 1) OR c.approved > 1`,
  'an approved claim is credited once with the payout, and nothing else is credited': `
    SELECT c.claim_id, c.cents, t.cents AS credited FROM (
      SELECT c.claim_id, c.delivery_id, c.credit_transfer_id AS transfer_id, d.payout_cents AS cents
      FROM claim c JOIN delivery d USING (delivery_id) WHERE c.status = 'approved' AND d.payout_cents > 0) c
    FULL JOIN (SELECT coalesce(return_id, dispute_id) AS claim_id, delivery_id, transfer_id, amount_cents AS cents
               FROM transfer WHERE type = 'credit') t USING (claim_id, delivery_id, transfer_id)
    WHERE c.cents IS DISTINCT FROM t.cents`,
  'a month counts its open and approved returns': `
    SELECT m.used, c.used AS claims FROM claim_month_count m
    FULL JOIN (SELECT buyer_key, event_type, delivery_month AS month, count(*) AS used FROM claim
               WHERE kind = 'return' AND status NOT IN ('denied', 'withdrawn') GROUP BY 1, 2, 3) c USING (buyer_key, event_type, month)
    WHERE coalesce(m.used, 0) <> coalesce(c.used, 0)`,
  'a buyer counts its deliveries by status as they stand': `
    SELECT * FROM (SELECT buyer_key, event_type, status, sum(deliveries) AS n, sum(payout_cents) AS cents FROM delivery_count
                   GROUP BY 1, 2, 3 HAVING sum(deliveries) <> 0) c
    FULL JOIN (SELECT buyer_key, event_type, status, count(*) AS n, sum(payout_cents) AS cents FROM delivery GROUP BY 1, 2, 3) d
      USING (buyer_key, event_type, status)
    WHERE c.n IS DISTINCT FROM d.n OR c.cents IS DISTINCT FROM d.cents`,
  'a supplier is held to account for each return once': `
    SELECT * FROM (SELECT supplier_key, sum(returned) AS n FROM supplier_quality_count GROUP BY 1 HAVING sum(returned) <> 0) q
    FULL JOIN (SELECT supplier_key, count(*) AS n FROM delivery WHERE status = 'Returned' GROUP BY 1) d USING (supplier_key)
    WHERE q.n IS DISTINCT FROM d.n`,
  'every decision, and nothing else, is an event of the partner’s feed': `
    SELECT * FROM (SELECT buyer_key, claim_id AS subject_id FROM claim WHERE status IN ('approved', 'denied')) c
    FULL JOIN (SELECT buyer_key, subject_id, 1 AS told FROM buyer_event WHERE type IN ('return.reviewed', 'dispute.reviewed')) e
      USING (buyer_key, subject_id)
    WHERE c.subject_id IS NULL OR e.told IS NULL`,
};

/** Every contradiction in words; empty if the tables agree. */
export async function claimFaults(database: Database): Promise<string[]> {
  const faults: string[] = [];
  for (const [sentence, sql] of Object.entries(SENTENCES)) {
    const rows = await select(database, sql);
    if (rows.length > 0)
      faults.push(`it is not so that ${sentence}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  }
  return [...faults, ...(await checkLedger(database)).faults];
}
