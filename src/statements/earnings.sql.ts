// SQL of suppliers' earnings by day: folding entries of the ledger into days, and reading days with the entries that are not folded yet.
import { statement } from '../platform/database/database.ts';
import { type AccountZone, LINE_KIND, linesBetween } from './entries.sql.ts';
import type { LineKind } from './statement.ts';

/** In cents, of one day or of several. */
export type EarningSums = {
  readonly leads: number;
  readonly earnedCents: number;
  readonly clawedBackCents: number;
  readonly paidOutCents: number;
  readonly adjustedCents: number;
};

const cents = (kind: string): string => `coalesce(sum(amount_cents) FILTER (WHERE kind = '${kind}'), 0)`;

// Rows of supplier_earning_day, several of which may have the same day.
const SUMMED = `SELECT day, count(*) FILTER (WHERE kind = 'earned') AS leads, ${cents('earned')} AS earned_cents,
     -${cents('clawed_back')} AS clawed_back_cents, -${cents('paid_out')} AS paid_out_cents,
     ${cents('adjusted')} AS adjusted_cents, 0 AS payable_cents
   FROM line GROUP BY day
   UNION ALL
   SELECT payable_on, 0, 0, 0, 0, 0, sum(amount_cents) FROM line WHERE payable_on IS NOT NULL GROUP BY payable_on`;

/** Suppliers with entries that are not folded yet. */
export const suppliersToFold = statement<void, { supplierKey: string }>(
  'statements.suppliers_to_fold',
  `SELECT account.supplier_key AS "supplierKey" FROM account LEFT JOIN supplier_earning_progress AS progress USING (supplier_key)
   WHERE account.kind = 'supplier' AND account.version > coalesce(progress.folded_version, 0) ORDER BY 1`,
);

export const openEarningProgress = statement<{ readonly supplierKey: string }>(
  'statements.open_earning_progress',
  'INSERT INTO supplier_earning_progress (supplier_key) VALUES ($supplierKey) ON CONFLICT (supplier_key) DO NOTHING',
);

/** No row if another process folds this supplier. */
export const lockEarningProgress = statement<{ readonly supplierKey: string }, { folded: number }>(
  'statements.lock_earning_progress',
  `SELECT folded_version AS folded FROM supplier_earning_progress WHERE supplier_key = $supplierKey FOR UPDATE SKIP LOCKED`,
);

type Range = AccountZone & { readonly supplierKey: string; readonly after: number; readonly upTo: number };

/** Adds the entries to their days, and moves the folded version with them. */
export const foldLines = statement<Range>(
  'statements.fold_lines',
  `WITH line AS (${linesBetween('$after', '$upTo')}), part AS (${SUMMED}),
   added AS (
     INSERT INTO supplier_earning_day AS stored
       (supplier_key, day, leads, earned_cents, clawed_back_cents, paid_out_cents, adjusted_cents, payable_cents)
     SELECT $supplierKey, day, sum(leads), sum(earned_cents), sum(clawed_back_cents), sum(paid_out_cents), sum(adjusted_cents),
            sum(payable_cents)
     FROM part GROUP BY day ORDER BY day
     ON CONFLICT (supplier_key, day) DO UPDATE SET leads = stored.leads + excluded.leads,
       earned_cents = stored.earned_cents + excluded.earned_cents,
       clawed_back_cents = stored.clawed_back_cents + excluded.clawed_back_cents,
       paid_out_cents = stored.paid_out_cents + excluded.paid_out_cents,
       adjusted_cents = stored.adjusted_cents + excluded.adjusted_cents,
       payable_cents = stored.payable_cents + excluded.payable_cents)
   UPDATE supplier_earning_progress SET folded_version = $upTo WHERE supplier_key = $supplierKey`,
);

/**
 * Balances with the earnings whose hold ends after the supplier's own $todays: of its folded days that are still to come, and of its entries
 * that are not folded yet. Suppliers without an account have no row.
 */
export const selectBalances = statement<
  {
    readonly supplierKeys: readonly string[];
    readonly timeZones: readonly string[];
    readonly todays: readonly string[];
  },
  { supplierKey: string; balanceCents: number; heldCents: number }
>(
  'statements.balances',
  `SELECT account.supplier_key AS "supplierKey", account.balance_cents AS "balanceCents",
     (coalesce(stored.cents, 0) + coalesce(added.cents, 0))::bigint AS "heldCents"
   FROM unnest($supplierKeys::text[], $timeZones::text[], $todays::text[]) AS listed (supplier_key, time_zone, today)
   JOIN account ON account.kind = 'supplier' AND account.supplier_key = listed.supplier_key
   LEFT JOIN supplier_earning_progress AS progress ON progress.supplier_key = listed.supplier_key
   CROSS JOIN LATERAL (SELECT sum(payable_cents) AS cents FROM supplier_earning_day AS stored
     WHERE stored.supplier_key = listed.supplier_key AND stored.day > listed.today::date) AS stored
   CROSS JOIN LATERAL (SELECT sum(amount_cents) AS cents FROM (${linesBetween(
     'coalesce(progress.folded_version, 0)',
     'account.version',
     { accountKey: 'account.account_key', timeZone: 'listed.time_zone' },
   )}) AS line WHERE payable_on > listed.today::date) AS added`,
);

/** No row for a supplier without an account. `folded` and `version` are of the same instant only in a snapshot. */
export const selectEarningState = statement<
  { readonly supplierKey: string; readonly accountKey: string },
  { balanceCents: number; version: number; folded: number }
>(
  'statements.earning_state',
  `SELECT balance_cents AS "balanceCents", version,
     coalesce((SELECT folded_version FROM supplier_earning_progress WHERE supplier_key = $supplierKey), 0) AS folded
   FROM account WHERE account_key = $accountKey`,
);

const DAYS = `SELECT day, leads, earned_cents, clawed_back_cents, paid_out_cents, adjusted_cents, payable_cents
   FROM supplier_earning_day WHERE supplier_key = $supplierKey
   UNION ALL SELECT * FROM part`;

/** The days from $from to $until, without those on which nothing happened. */
export const selectEarningDays = statement<
  Range & { readonly from: string; readonly until: string },
  EarningSums & { date: string }
>(
  'statements.earning_days',
  `WITH line AS (${linesBetween('$after', '$upTo')}), part AS (${SUMMED}), days AS (${DAYS})
   SELECT day::text AS date, sum(leads)::bigint AS leads, sum(earned_cents)::bigint AS "earnedCents",
     sum(clawed_back_cents)::bigint AS "clawedBackCents", sum(paid_out_cents)::bigint AS "paidOutCents",
     sum(adjusted_cents)::bigint AS "adjustedCents"
   FROM days WHERE day BETWEEN $from::date AND $until::date GROUP BY day ORDER BY day`,
);

/** Earnings whose hold ends after $today. */
export const selectHeld = statement<Range & { readonly today: string }, { heldCents: number }>(
  'statements.held',
  `WITH line AS (${linesBetween('$after', '$upTo')}), part AS (${SUMMED}), days AS (${DAYS})
   SELECT coalesce(sum(payable_cents), 0)::bigint AS "heldCents" FROM days WHERE day > $today::date`,
);

export type LeadEarning = {
  readonly at: Date;
  readonly kind: LineKind;
  /** In the account's sign: below 0 for a claw-back. */
  readonly amountCents: number;
};

/** The entries of the supplier's account that belong to one of its leads, oldest first; a row without a time for a lead that has none. */
export const selectLeadEarnings = statement<
  { readonly supplierKey: string; readonly accountKey: string; readonly leadId: string },
  LeadEarning | { readonly at: null }
>(
  'statements.lead_earnings',
  `SELECT entry.created_at AS at, ${LINE_KIND} AS kind, entry.amount_cents AS "amountCents"
   FROM lead LEFT JOIN (delivery JOIN transfer ON transfer.delivery_id = delivery.delivery_id
     JOIN entry ON entry.transfer_id = transfer.transfer_id AND entry.account_key = $accountKey) USING (lead_id)
   WHERE lead.lead_id = $leadId::uuid AND lead.supplier_key = $supplierKey ORDER BY entry.account_version`,
);
