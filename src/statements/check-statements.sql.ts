// SQL statement that checks statements, payouts and sums of earnings against the ledger.
import { statement } from '../platform/database/database.ts';
import { LINE_KIND } from './entries.sql.ts';

export type StatementRecount = {
  readonly gaps: number;
  readonly wrongRanges: number;
  readonly wrongBalances: number;
  readonly wrongItems: number;
  readonly wrongSums: number;
  readonly wrongPayouts: number;
  readonly wrongDays: number;
};

/** One statement, so that all counts are of the same instant. */
export const recountStatements = statement<void, StatementRecount>(
  'statements.recount',
  `WITH numbered AS (
     SELECT split_part(number, '-', 2)::integer AS year, count(*) AS statements, max(split_part(number, '-', 3)::bigint) AS last_number
     FROM supplier_statement GROUP BY 1),
   chained AS (
     SELECT *, 'supplier:' || supplier_key AS account_key, lag(up_to_version, 1, 0::bigint) OVER by_month AS before
     FROM supplier_statement WINDOW by_month AS (PARTITION BY supplier_key ORDER BY period)),
   counted AS (
     SELECT statement_id, width_bucket(entry.created_at, ARRAY(
              SELECT (period + n)::timestamp AT TIME ZONE time_zone
              FROM generate_series(0, extract(day FROM period + interval '1 month' - interval '1 day')::integer - 1) AS n)) AS day,
            ${LINE_KIND} AS kind, count(*) AS quantity, sum(entry.amount_cents) AS amount_cents
     FROM chained JOIN entry ON entry.account_key = chained.account_key AND account_version BETWEEN from_version AND up_to_version
     JOIN transfer USING (transfer_id) GROUP BY 1, 2, 3),
   summed AS (
     SELECT statement_id, coalesce(sum(quantity) FILTER (WHERE kind = 'earned'), 0) AS leads,
            coalesce(sum(amount_cents) FILTER (WHERE kind = 'earned'), 0) AS earned,
            -coalesce(sum(amount_cents) FILTER (WHERE kind = 'clawed_back'), 0) AS clawed_back,
            -coalesce(sum(amount_cents) FILTER (WHERE kind = 'paid_out'), 0) AS paid_out,
            coalesce(sum(amount_cents) FILTER (WHERE kind = 'adjusted'), 0) AS adjusted
     FROM supplier_statement LEFT JOIN supplier_statement_item USING (statement_id) GROUP BY statement_id),
   folded AS (
     SELECT supplier_key, sum(amount_cents) AS amount_cents, sum(amount_cents) FILTER (WHERE type IN ('cost', 'clawback')) AS payable_cents
     FROM (SELECT progress.supplier_key, entry.amount_cents, transfer.type FROM supplier_earning_progress AS progress
           JOIN entry ON entry.account_key = 'supplier:' || supplier_key AND account_version <= folded_version
           JOIN transfer USING (transfer_id)) AS line GROUP BY supplier_key),
   days AS (
     SELECT supplier_key, sum(earned_cents - clawed_back_cents - paid_out_cents + adjusted_cents) AS amount_cents, sum(payable_cents) AS payable_cents
     FROM supplier_earning_day GROUP BY supplier_key)
   SELECT (SELECT count(*) FROM numbered FULL JOIN supplier_statement_counter USING (year)
           WHERE numbered.statements IS DISTINCT FROM numbered.last_number
             OR numbered.last_number IS DISTINCT FROM supplier_statement_counter.last_number) AS gaps,
          (SELECT count(*) FROM chained WHERE from_version <> before + 1)
            + (SELECT count(*) FROM (SELECT supplier_key, max(up_to_version) AS up_to FROM chained GROUP BY 1) AS last
               FULL JOIN supplier_statement_progress AS progress USING (supplier_key)
               WHERE coalesce(last.up_to, 0) <> coalesce(progress.up_to_version, 0)) AS "wrongRanges",
          (SELECT count(*) FROM chained
           LEFT JOIN entry AS before_first ON before_first.account_key = chained.account_key AND before_first.account_version = from_version - 1
           LEFT JOIN entry AS last ON last.account_key = chained.account_key AND last.account_version = up_to_version
           WHERE carried_cents <> coalesce(before_first.balance_after_cents, 0)
             OR total_cents <> coalesce(last.balance_after_cents, 0)) AS "wrongBalances",
          (SELECT count(*) FROM counted FULL JOIN supplier_statement_item AS item USING (statement_id, day, kind)
           WHERE counted.quantity IS DISTINCT FROM item.quantity OR counted.amount_cents IS DISTINCT FROM item.amount_cents) AS "wrongItems",
          (SELECT count(*) FROM supplier_statement JOIN summed USING (statement_id)
           WHERE (supplier_statement.leads, earned_cents, clawed_back_cents, paid_out_cents, adjusted_cents)
             IS DISTINCT FROM (summed.leads, earned, clawed_back, paid_out, adjusted)) AS "wrongSums",
          (SELECT count(*) FROM (SELECT * FROM transfer WHERE type = 'payout') AS transfer FULL JOIN supplier_payout AS payout USING (transfer_id)
           WHERE transfer.amount_cents IS DISTINCT FROM payout.amount_cents
             OR transfer.business_key IS DISTINCT FROM 'payout:' || payout.supplier_key || ':' || payout.reference) AS "wrongPayouts",
          (SELECT count(*) FROM folded FULL JOIN days USING (supplier_key)
           WHERE coalesce(folded.amount_cents, 0) <> coalesce(days.amount_cents, 0)
             OR coalesce(folded.payable_cents, 0) <> coalesce(days.payable_cents, 0)) AS "wrongDays"`,
);
