// SQL statements for statements of suppliers. They read entries of the ledger and write none. Issuing locks the row of the supplier in
// supplier_statement_progress first, and the counter of numbers last, because all suppliers share it.
import type { StatementId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import { type AccountZone, LINE_KIND, linesBetween } from './entries.sql.ts';
import { type StatementItem, type StatementOrder, statementOrders, type SupplierStatement } from './statement.ts';

type OfSupplier = { readonly supplierKey: string };

/** Locks the statements of a supplier until the transaction ends; inserts its row if missing. */
export const lockProgress = statement<OfSupplier>(
  'statements.lock_progress',
  `INSERT INTO supplier_statement_progress (supplier_key) VALUES ($supplierKey)
   ON CONFLICT (supplier_key) DO UPDATE SET supplier_key = excluded.supplier_key`,
);

/** The last version of the account that is on a statement, and the month of the latest statement. One row, also without statements. */
export const readProgress = statement<OfSupplier, { upToVersion: number; latestMonth: string | null }>(
  'statements.read_progress',
  `SELECT coalesce((SELECT up_to_version FROM supplier_statement_progress WHERE supplier_key = $supplierKey), 0) AS "upToVersion",
     (SELECT to_char(max(period), 'YYYY-MM') FROM supplier_statement WHERE supplier_key = $supplierKey) AS "latestMonth"`,
);

export const writeProgress = statement<OfSupplier & { readonly upToVersion: number }>(
  'statements.write_progress',
  'UPDATE supplier_statement_progress SET up_to_version = $upToVersion WHERE supplier_key = $supplierKey',
);

/** The last version posted before $endsAt; no row without one. Reads backwards over the entries of later months. */
export const lastVersionBefore = statement<
  { readonly accountKey: string; readonly after: number; readonly endsAt: Date },
  { version: number }
>(
  'statements.last_version_before',
  `SELECT account_version AS version FROM entry
   WHERE account_key = $accountKey AND account_version > $after AND created_at < $endsAt ORDER BY account_version DESC LIMIT 1`,
);

/** The balance after a version; no row for version 0. */
export const balanceAfter = statement<
  { readonly accountKey: string; readonly version: number },
  { balanceCents: number }
>(
  'statements.balance_after',
  `SELECT balance_after_cents AS "balanceCents" FROM entry WHERE account_key = $accountKey AND account_version = $version`,
);

type Range = { readonly accountKey: string; readonly after: number; readonly upTo: number };

export const sumItems = statement<Range & { readonly dayStarts: readonly Date[] }, StatementItem>(
  'statements.sum_items',
  `SELECT width_bucket(entry.created_at, $dayStarts::timestamptz[]) AS day, ${LINE_KIND} AS kind, count(*) AS quantity,
          sum(entry.amount_cents)::bigint AS "amountCents"
   FROM entry JOIN transfer USING (transfer_id)
   WHERE entry.account_key = $accountKey AND entry.account_version > $after AND entry.account_version <= $upTo
   GROUP BY 1, 2 ORDER BY 1, 2`,
);

/**
 * What is held after the day $lastDay, as of the version $upTo: the folded days, and the entries between the folded version and that one, in
 * either direction. One statement, so that a concurrent fold does not change what lies between.
 */
export const sumHeld = statement<
  OfSupplier & AccountZone & { readonly upTo: number; readonly lastDay: string },
  { heldCents: number }
>(
  'statements.sum_held',
  `WITH progress AS (SELECT coalesce(
     (SELECT folded_version FROM supplier_earning_progress WHERE supplier_key = $supplierKey), 0) AS folded),
   line AS (${linesBetween(
     '(SELECT least(folded, $upTo::bigint) FROM progress)',
     '(SELECT greatest(folded, $upTo::bigint) FROM progress)',
   )})
   SELECT (coalesce((SELECT sum(payable_cents) FROM supplier_earning_day WHERE supplier_key = $supplierKey AND day > $lastDay::date), 0)
     + sign($upTo::bigint - (SELECT folded FROM progress)) * coalesce((SELECT sum(amount_cents) FROM line WHERE payable_on > $lastDay::date), 0)
     )::bigint AS "heldCents"`,
);

/** Waits for concurrent transactions that issue statements; if one rolls back, its number is used next. */
export const nextNumber = statement<{ readonly year: number }, { count: number }>(
  'statements.next_number',
  `INSERT INTO supplier_statement_counter AS counter (year, last_number) VALUES ($year, 1)
   ON CONFLICT (year) DO UPDATE SET last_number = counter.last_number + 1 RETURNING last_number AS count`,
);

export const insertStatement = statement<SupplierStatement>(
  'statements.insert',
  `INSERT INTO supplier_statement (statement_id, supplier_key, number, period, time_zone, starts_at, ends_at, operator_name, supplier_name, currency,
     from_version, up_to_version, carried_cents, total_cents, leads, earned_cents, clawed_back_cents, paid_out_cents, adjusted_cents,
     held_cents, issued_at)
   VALUES ($statementId, $supplierKey, $number, to_date($month, 'YYYY-MM'), $timeZone, $startsAt, $endsAt, $operatorName, $supplierName, $currency,
     $fromVersion, $upToVersion, $carriedCents, $totalCents, $leads, $earnedCents, $clawedBackCents, $paidOutCents, $adjustedCents,
     $heldCents, $issuedAt)`,
);

export const insertItems = statement<{
  readonly statementId: StatementId;
  readonly days: readonly number[];
  readonly kinds: readonly string[];
  readonly quantities: readonly number[];
  readonly amountCents: readonly number[];
}>(
  'statements.insert_items',
  `INSERT INTO supplier_statement_item (statement_id, day, kind, quantity, amount_cents)
   SELECT $statementId, day, kind, quantity, amount_cents
   FROM unnest($days::integer[], $kinds::text[], $quantities::bigint[], $amountCents::bigint[]) AS item (day, kind, quantity, amount_cents)`,
);

const STATEMENT = `statement_id AS "statementId", number, supplier_key AS "supplierKey", to_char(period, 'YYYY-MM') AS month,
   time_zone AS "timeZone", starts_at AS "startsAt", ends_at AS "endsAt", operator_name AS "operatorName", supplier_name AS "supplierName",
   currency, from_version AS "fromVersion", up_to_version AS "upToVersion", carried_cents AS "carriedCents", total_cents AS "totalCents", leads,
   earned_cents AS "earnedCents", clawed_back_cents AS "clawedBackCents", paid_out_cents AS "paidOutCents",
   adjusted_cents AS "adjustedCents", held_cents AS "heldCents", issued_at AS "issuedAt"`;

export const ofMonth = statement<OfSupplier & { readonly month: string }, SupplierStatement>(
  'statements.of_month',
  `SELECT ${STATEMENT} FROM supplier_statement WHERE supplier_key = $supplierKey AND period = to_date($month, 'YYYY-MM')`,
);

export const byId = statement<{ readonly statementId: StatementId }, SupplierStatement>(
  'statements.by_id',
  `SELECT ${STATEMENT} FROM supplier_statement WHERE statement_id = $statementId`,
);

export const byNumber = statement<{ readonly number: string }, SupplierStatement>(
  'statements.by_number',
  `SELECT ${STATEMENT} FROM supplier_statement WHERE number = $number`,
);

export const ofSupplierById = statement<OfSupplier & { readonly statementId: StatementId }, SupplierStatement>(
  'statements.of_supplier_by_id',
  `SELECT ${STATEMENT} FROM supplier_statement WHERE supplier_key = $supplierKey AND statement_id = $statementId`,
);

type Conditions = { readonly supplierKey: string | null; readonly month: string | null };
const CONDITIONS = `($supplierKey::text IS NULL OR supplier_key = $supplierKey)
     AND ($month::text IS NULL OR period = to_date($month, 'YYYY-MM'))`;

/** A supplier has twelve a year, so that counting, sorting and skipping them is quick. */
export const countStatements = statement<Conditions, { total: number; earnedCents: number; totalCents: number }>(
  'statements.count',
  `SELECT count(*) AS total, coalesce(sum(earned_cents), 0)::bigint AS "earnedCents", coalesce(sum(total_cents), 0)::bigint AS "totalCents"
   FROM supplier_statement WHERE ${CONDITIONS}`,
);

const BY = {
  issued: 'issued_at',
  earned: 'earned_cents',
  total: 'total_cents',
  payable: 'greatest(0, total_cents - held_cents)',
} as const;

function pageBy(order: StatementOrder) {
  const [column, direction] = order.startsWith('-') ? [order.slice(1), 'DESC'] : [order, 'ASC'];
  return statement<Conditions & { readonly offset: number; readonly limit: number }, SupplierStatement>(
    `statements.page_by_${order}`,
    `SELECT ${STATEMENT} FROM supplier_statement WHERE ${CONDITIONS}
     ORDER BY ${BY[column as keyof typeof BY]} ${direction}, statement_id ${direction} OFFSET $offset LIMIT $limit`,
  );
}

export const pagesOfStatements = Object.fromEntries(statementOrders.map((order) => [order, pageBy(order)])) as Readonly<
  Record<StatementOrder, ReturnType<typeof pageBy>>
>;

export const statementsAfter = statement<
  Conditions & { readonly at: Date; readonly id: string; readonly limit: number },
  SupplierStatement
>(
  'statements.after',
  `SELECT ${STATEMENT} FROM supplier_statement WHERE ${CONDITIONS} AND (issued_at, statement_id) < ($at, $id)
   ORDER BY issued_at DESC, statement_id DESC LIMIT $limit`,
);

export const itemsOf = statement<{ readonly statementId: StatementId }, StatementItem>(
  'statements.items',
  `SELECT day, kind, quantity, amount_cents AS "amountCents" FROM supplier_statement_item WHERE statement_id = $statementId
   ORDER BY day, kind COLLATE "C"`,
);
