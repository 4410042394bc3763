// SQL statement that checks invoices against the ledger.
import { statement } from '../platform/database/database.ts';

export type RecountRow = {
  readonly wrongSums: number;
  readonly wrongCarries: number;
  readonly wrongItems: number;
  readonly wrongLines: number;
  readonly twice: number;
  readonly drafts: number;
  readonly gaps: number;
  readonly overpaid: number;
  readonly unbilled: number;
  readonly wrongTax: number;
};

/** One statement, so that all counts are of the same instant. */
export const recountInvoices = statement<void, RecountRow>(
  'invoices.recount',
  `WITH summed AS (
     SELECT invoice_id, coalesce(sum(amount_cents) FILTER (WHERE type = 'charge'), 0) AS subtotal_cents,
            coalesce(sum(amount_cents) FILTER (WHERE type = 'credit'), 0) AS credits_cents,
            count(*) FILTER (WHERE type = 'charge') AS charges
     FROM invoice_line GROUP BY invoice_id),
   counted AS (
     SELECT invoice_id, sum(unit_cents * quantity) AS subtotal_cents, sum(quantity) AS charges FROM invoice_item GROUP BY invoice_id),
   numbered AS (
     SELECT split_part(number, '-', 2)::integer AS year, count(*) AS invoices, max(split_part(number, '-', 3)::bigint) AS last_number
     FROM invoice WHERE number IS NOT NULL GROUP BY 1),
   paid AS (
     SELECT invoice_id, sum(amount_cents) AS cents FROM transfer WHERE type = 'payment' AND invoice_id IS NOT NULL GROUP BY 1)
   SELECT (SELECT count(*) FROM invoice FULL JOIN summed USING (invoice_id)
           WHERE invoice.subtotal_cents IS DISTINCT FROM summed.subtotal_cents
             OR invoice.credits_cents IS DISTINCT FROM summed.credits_cents) AS "wrongSums",
          (SELECT count(*) FROM invoice LEFT JOIN (
             SELECT carried_to AS invoice_id, sum(carried_out_cents) AS cents FROM invoice
             WHERE status <> 'void' AND carried_to IS NOT NULL GROUP BY 1) AS carried USING (invoice_id)
           WHERE status <> 'void' AND carried_in_cents <> coalesce(carried.cents, 0)) AS "wrongCarries",
          (SELECT count(*) FROM summed FULL JOIN counted USING (invoice_id)
           WHERE coalesce(summed.subtotal_cents, 0) <> coalesce(counted.subtotal_cents, 0)
             OR coalesce(summed.charges, 0) <> coalesce(counted.charges, 0)) AS "wrongItems",
          (SELECT count(*) FROM invoice_line AS line JOIN invoice USING (invoice_id) LEFT JOIN transfer USING (transfer_id)
           LEFT JOIN entry ON entry.transfer_id = line.transfer_id AND entry.account_key = 'buyer:' || invoice.buyer_key
           WHERE line.type IS DISTINCT FROM transfer.type OR line.amount_cents IS DISTINCT FROM transfer.amount_cents
             OR line.account_version IS DISTINCT FROM entry.account_version
             OR line.is_void IS DISTINCT FROM invoice.is_void) AS "wrongLines",
          (SELECT count(*) FROM (SELECT FROM invoice_line WHERE NOT is_void GROUP BY transfer_id HAVING count(*) > 1) AS twice) AS twice,
          (SELECT count(*) FROM invoice WHERE status = 'draft') AS drafts,
          (SELECT count(*) FROM numbered FULL JOIN invoice_counter USING (year)
           WHERE numbered.invoices IS DISTINCT FROM numbered.last_number
             OR numbered.last_number IS DISTINCT FROM invoice_counter.last_number) AS gaps,
          (SELECT count(*) FROM invoice LEFT JOIN paid USING (invoice_id)
           WHERE invoice.paid_cents > coalesce(paid.cents, 0)) AS overpaid,
          (SELECT count(*) FROM (SELECT invoice_id, CASE WHEN status = 'void' THEN 0 ELSE tax_cents END AS cents
                                  FROM invoice WHERE tax_cents > 0) AS due
             FULL JOIN (SELECT invoice_id, sum(CASE WHEN from_account LIKE 'buyer:%' THEN amount_cents ELSE -amount_cents END) AS cents
                        FROM transfer WHERE type = 'tax' GROUP BY 1) AS posted USING (invoice_id)
           WHERE due.cents IS DISTINCT FROM posted.cents) AS "wrongTax",
          (SELECT count(DISTINCT buyer_key) FROM (
             SELECT progress.buyer_key, entry.account_version FROM invoice_progress AS progress
             JOIN entry ON entry.account_key = 'buyer:' || progress.buyer_key AND entry.account_version <= progress.settled_version
             JOIN transfer USING (transfer_id) WHERE transfer.type IN ('charge', 'credit')
             EXCEPT
             SELECT invoice.buyer_key, line.account_version FROM invoice JOIN invoice_line AS line USING (invoice_id)
             WHERE invoice.status <> 'void') AS left_out) AS unbilled`,
);
