// SQL statements for the monthly runs that happen by themselves. Months are `YYYY-MM` outside, and their first day in the database.
import { statement } from '../platform/database/database.ts';
import type { BillingKind, BillingOutcome, BillingRun, FailedItem } from './billing-run.ts';

/** Returns the first month that the runs cover, null while they are switched off; the first call after that covers from `month` on. */
export const coverMonths = statement<
  { readonly kind: BillingKind; readonly isOn: boolean; readonly month: string },
  { coveredFrom: string | null }
>(
  'billing_runs.cover',
  `INSERT INTO billing_routine AS routine (kind, covered_from)
   VALUES ($kind, CASE WHEN $isOn::boolean THEN to_date($month, 'YYYY-MM') END)
   ON CONFLICT (kind) DO UPDATE SET covered_from = CASE WHEN $isOn::boolean THEN coalesce(routine.covered_from, excluded.covered_from) END
   RETURNING to_char(covered_from, 'YYYY-MM') AS "coveredFrom"`,
);

export const readCover = statement<{ readonly kind: BillingKind }, { coveredFrom: string | null }>(
  'billing_runs.read_cover',
  `SELECT to_char(covered_from, 'YYYY-MM') AS "coveredFrom" FROM billing_routine WHERE kind = $kind`,
);

export const completedMonths = statement<{ readonly kind: BillingKind }, { month: string }>(
  'billing_runs.completed_months',
  `SELECT to_char(period, 'YYYY-MM') AS month FROM billing_run WHERE kind = $kind AND completed_at IS NOT NULL`,
);

export const startRun = statement<{ readonly kind: BillingKind; readonly month: string; readonly now: Date }>(
  'billing_runs.start',
  `INSERT INTO billing_run (kind, period, started_at) VALUES ($kind, to_date($month, 'YYYY-MM'), $now) ON CONFLICT DO NOTHING`,
);

/** The partners or suppliers that are done; failed ones are tried again. */
export const doneOwners = statement<{ readonly kind: BillingKind; readonly month: string }, { ownerKey: string }>(
  'billing_runs.done_owners',
  `SELECT owner_key AS "ownerKey" FROM billing_run_item
   WHERE kind = $kind AND period = to_date($month, 'YYYY-MM') AND outcome <> 'failed'`,
);

/** What was issued stays: only a failure is replaced. */
export const writeItem = statement<{
  readonly kind: BillingKind;
  readonly month: string;
  readonly ownerKey: string;
  readonly outcome: BillingOutcome | 'failed';
  readonly number: string | null;
  readonly error: string | null;
  readonly now: Date;
}>(
  'billing_runs.write_item',
  `INSERT INTO billing_run_item AS item (kind, period, owner_key, outcome, number, error, at)
   VALUES ($kind, to_date($month, 'YYYY-MM'), $ownerKey, $outcome, $number, $error, $now)
   ON CONFLICT (kind, period, owner_key) DO UPDATE
     SET outcome = excluded.outcome, number = excluded.number, error = excluded.error, at = excluded.at
     WHERE item.outcome = 'failed'`,
);

export const completeRun = statement<{ readonly kind: BillingKind; readonly month: string; readonly now: Date }>(
  'billing_runs.complete',
  `UPDATE billing_run SET completed_at = $now WHERE kind = $kind AND period = to_date($month, 'YYYY-MM') AND completed_at IS NULL`,
);

/** Newest month first. */
export const listRuns = statement<{ readonly kind: BillingKind; readonly limit: number }, BillingRun>(
  'billing_runs.list',
  `SELECT to_char(run.period, 'YYYY-MM') AS month, run.started_at AS "startedAt", run.completed_at AS "completedAt",
          count(*) FILTER (WHERE outcome = 'issued')::integer AS issued, count(*) FILTER (WHERE outcome = 'exists')::integer AS existed,
          count(*) FILTER (WHERE outcome = 'none')::integer AS "none", count(*) FILTER (WHERE outcome = 'failed')::integer AS failed
   FROM (SELECT * FROM billing_run WHERE kind = $kind ORDER BY period DESC LIMIT $limit) AS run
   LEFT JOIN billing_run_item AS item ON item.kind = run.kind AND item.period = run.period
   GROUP BY run.period, run.started_at, run.completed_at ORDER BY run.period DESC`,
);

export const listFailures = statement<{ readonly kind: BillingKind; readonly limit: number }, FailedItem>(
  'billing_runs.list_failures',
  `SELECT to_char(period, 'YYYY-MM') AS month, owner_key AS "ownerKey", error, at FROM billing_run_item
   WHERE kind = $kind AND outcome = 'failed' ORDER BY period DESC, owner_key LIMIT $limit`,
);
