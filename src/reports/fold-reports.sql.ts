// SQL that folds changes of leads, deliveries and money into the facts and roll-ups of reports (contract 12.1, decision 061).
import type { Uuid } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import { WITH_CHANGES } from './report-cells.sql.ts';
import { FACT_DIMENSIONS, FACT_SUMS, FACTS } from './report-facts.sql.ts';
import { DIMENSION_COLUMNS } from './report-group.sql.ts';
import { type Level, LEVELS, ROLLUPS } from './rollups.rules.ts';

/** Per supplier and month. A marketplace that reads its reports has some dozens; free texts of suppliers must not make them larger. */
const SOURCES_MAX = 100;
const CAMPAIGNS_MAX = 300;

/** Batches that one transaction looks through: a fold that found nothing leaves an empty one. */
const BATCHES_MAX = 10_000;

const NAMES = FACT_DIMENSIONS.join(', ');
const LEAD_SUMS: readonly string[] = ['submitted', 'accepted', 'sold', 'unsold'];
const ONLY_DELIVERIES: readonly string[] = ['partner', 'offer', 'event_type', 'price_band'];

/** Levels that are added up from facts; the others from the days of the same roll-up, which are fewer. */
const FROM_FACTS: readonly Level[] = ['hour', 'day'];

/** A row per roll-up and level, with the columns that it keeps apart. */
const KEPT = ROLLUPS.flatMap(({ number, dimensions, levels }) => {
  const columns: readonly string[] = dimensions.map((name) => DIMENSION_COLUMNS[name]);
  const uses = FACT_DIMENSIONS.map((name) => columns.includes(name));
  const countsLeads = !columns.some((name) => ONLY_DELIVERIES.includes(name));
  return levels
    .filter((level) => FROM_FACTS.includes(level))
    .map((level) => `(${[number, LEVELS[level], countsLeads, ...uses].join(', ')})`);
}).join(', ');

const COARSE = ROLLUPS.flatMap(({ number, levels }) =>
  levels.filter((level) => !FROM_FACTS.includes(level)).map((level) => `(${number}, ${LEVELS[level]})`),
).join(', ');

// Sums of leads stand only where leads have all dimensions: elsewhere no question reads them.
const factSum = (name: string): string =>
  `nullif(sum(${LEAD_SUMS.includes(name) ? `CASE WHEN r.counts_leads THEN f.${name} END` : `f.${name}`}), 0)::bigint`;
const cellSum = (name: string): string => `nullif(sum(f.${name}), 0)::bigint`;

const someOf = (sum: (name: string) => string): string =>
  FACT_SUMS.map((name) => `${sum(name)} IS NOT NULL`).join(' OR ');
const KEYS = Array.from({ length: 3 + FACT_DIMENSIONS.length }, (_, index) => index + 1).join(', ');

/** The relation `cells`, in the order of the columns of `report_cell`, of the relation `facts` (at, local, dimensions, sums). */
export const WITH_CELLS = `fine AS MATERIALIZED (
     SELECT r.rollup::smallint AS rollup, r.level::smallint AS level,
            CASE r.level WHEN ${LEVELS.hour} THEN date_trunc('hour', f.at AT TIME ZONE 'UTC') ELSE date_trunc('day', f.local) END AS slot,
            ${FACT_DIMENSIONS.map((name) => `CASE WHEN r.${name} THEN f.${name} ELSE '' END AS ${name}`).join(', ')},
            ${FACT_SUMS.map((name) => `${factSum(name)} AS ${name}`).join(', ')}
     FROM facts f CROSS JOIN (VALUES ${KEPT}) AS r (rollup, level, counts_leads, ${NAMES})
     GROUP BY ${KEYS} HAVING ${someOf(factSum)}
   ), cells AS (
     SELECT * FROM fine UNION ALL
     SELECT f.rollup, r.level::smallint, CASE r.level
              WHEN ${LEVELS.part} THEN date_trunc('month', f.slot) + least(25, (extract(day FROM f.slot)::int - 1) / 5 * 5) * interval '1 day'
              ELSE date_trunc('month', f.slot) END,
            ${FACT_DIMENSIONS.map((name) => `f.${name}`).join(', ')}, ${FACT_SUMS.map(cellSum).join(', ')}
     FROM fine f JOIN (VALUES ${COARSE}) AS r (rollup, level) ON r.rollup = f.rollup
     WHERE f.level = ${LEVELS.day} GROUP BY ${KEYS} HAVING ${someOf(cellSum)}
   )`;

const KINDS = `(VALUES ('source', f.source, ${SOURCES_MAX}), ('campaign', f.campaign, ${CAMPAIGNS_MAX})) AS v (kind, value, at_most)`;
const NAMED = `'', '(erased)', '(other)'`;

const named = (kind: string): string =>
  `CASE WHEN f.${kind} IN (${NAMED}) OR EXISTS (
       SELECT FROM known k WHERE k.supplier = f.supplier AND k.month = f.month AND k.kind = '${kind}' AND k.value = f.${kind})
     THEN f.${kind} ELSE '(other)' END AS ${kind}`;

const FACT_NAMES = FACT_DIMENSIONS.map((name) =>
  name === 'source' || name === 'campaign' ? named(name) : `f.${name}`,
).join(', ');

/** Reads changed_lead, changed_delivery and new_transfer, writes a batch of facts, and replaces texts beyond the bounds. */
const FOLD = `raw AS MATERIALIZED (
     SELECT date_bin('15 minutes', at, '2000-01-01T00:00:00Z') AS at, ${NAMES},
            ${FACT_SUMS.map((name) => `sum(${name}) AS ${name}`).join(', ')}
     FROM (${FACTS}) AS every GROUP BY ${FACT_DIMENSIONS.map((_, index) => index + 1).join(', ')}, ${FACT_DIMENSIONS.length + 1}
   ), dated AS MATERIALIZED (
     SELECT raw.*, date_trunc('month', at AT TIME ZONE 'UTC')::date AS month FROM raw
   ), wanted AS (
     SELECT DISTINCT f.supplier, f.month, v.kind, v.value, v.at_most FROM dated f CROSS JOIN LATERAL ${KINDS} WHERE v.value NOT IN (${NAMED})
   ), old AS (
     SELECT w.*, EXISTS (SELECT FROM report_text t WHERE (t.supplier, t.month, t.kind, t.value) = (w.supplier, w.month, w.kind, w.value))
       AS is_known FROM wanted w
   ), fresh AS (
     SELECT o.*, row_number() OVER (PARTITION BY supplier, month, kind ORDER BY value) AS place FROM old o WHERE NOT is_known
   ), added AS (
     INSERT INTO report_text (supplier, month, kind, value)
     SELECT supplier, month, kind, value FROM fresh f
     WHERE place + (SELECT count(*) FROM report_text t WHERE (t.supplier, t.month, t.kind) = (f.supplier, f.month, f.kind)) <= at_most
     RETURNING supplier, month, kind, value
   ), known AS MATERIALIZED (
     SELECT supplier, month, kind, value FROM old WHERE is_known UNION ALL SELECT * FROM added
   ), facts AS MATERIALIZED (
     SELECT at, ${NAMES}, ${FACT_SUMS.map((name) => `nullif(sum(${name}), 0)::bigint AS ${name}`).join(', ')}
     FROM (SELECT f.at, ${FACT_NAMES}, ${FACT_SUMS.map((name) => `f.${name}`).join(', ')} FROM dated f) AS named
     GROUP BY at, ${NAMES} HAVING ${FACT_SUMS.map((name) => `sum(${name}) <> 0`).join(' OR ')}
   ), stored AS (
     INSERT INTO report_fact (batch, at, ${NAMES}, ${FACT_SUMS.join(', ')})
     SELECT (SELECT batch + 1 FROM report_progress), at, ${NAMES}, ${FACT_SUMS.join(', ')} FROM facts
   )`;

/** The row stays locked until the transaction ends. No row: another transaction folds. */
export const lockProgressSql = statement<
  void,
  { cellZone: string; wantedZone: string; leadsFrom: Uuid; deliveriesFrom: Uuid; transfersFrom: Uuid }
>(
  'reports.lock_progress',
  `SELECT p.time_zone AS "cellZone", m.time_zone AS "wantedZone", leads_from AS "leadsFrom", deliveries_from AS "deliveriesFrom",
          transfers_from AS "transfersFrom"
   FROM report_progress p, marketplace m FOR UPDATE OF p SKIP LOCKED`,
);

/** $before: a fold before it is too long ago. */
export const isFoldDueSql = statement<
  { readonly before: Date },
  { isDue: boolean; cellZone: string; wantedZone: string }
>(
  'reports.is_fold_due',
  `SELECT p.time_zone AS "cellZone", m.time_zone AS "wantedZone", coalesce(p.folded_at <= $before, true)
            OR greatest(leads_from, deliveries_from, transfers_from) <> '00000000-0000-0000-0000-000000000000'
            OR EXISTS (SELECT FROM report_change) AS "isDue"
   FROM report_progress p, marketplace m`,
);

/** Takes up to $atMost changes out of the log. */
export const foldChangesSql = statement<{ readonly atMost: number; readonly now: Date }, { taken: number }>(
  'reports.fold_changes',
  `WITH taken AS (
     DELETE FROM report_change WHERE ctid = ANY (ARRAY(SELECT ctid FROM report_change LIMIT $atMost)) RETURNING *
   ), ${WITH_CHANGES('taken')}, ${FOLD}, seen AS (UPDATE report_progress SET folded_at = $now, batch = batch + 1)
   SELECT count(*) AS taken FROM taken`,
);

type History = { readonly before: Uuid; readonly atMost: number };
const HISTORIES = {
  lead: {
    slice:
      'SELECT lead_id AS id, public_status AS status, NULL::timestamptz AS status_at, NULL::text AS failure FROM lead WHERE lead_id < $before ORDER BY lead_id DESC',
    column: 'leads_from',
  },
  delivery: {
    slice: `SELECT delivery_id AS id, status, coalesce(failed_at, confirmed_at) AS status_at, CASE WHEN status = 'Failed' THEN failure END AS failure
       FROM delivery WHERE delivery_id < $before ORDER BY delivery_id DESC`,
    column: 'deliveries_from',
  },
  transfer: {
    slice:
      'SELECT transfer_id AS id, NULL::text AS status, NULL::timestamptz AS status_at, NULL::text AS failure FROM transfer WHERE transfer_id < $before ORDER BY transfer_id DESC',
    column: 'transfers_from',
  },
} as const;
export type HistoryKind = keyof typeof HISTORIES;

/**
 * Folds up to $atMost rows from before the log, newest first, as they are now: what the log says of them up to this instant is in them, and
 * taken out of it.
 */
export const foldHistorySql = Object.fromEntries(
  Object.entries(HISTORIES).map(([kind, { slice, column }]) => [
    kind,
    statement<History, { folded: number }>(
      `reports.fold_${kind}_history`,
      `WITH slice AS MATERIALIZED (${slice} LIMIT $atMost), bounds AS (
         SELECT CASE WHEN count(*) < $atMost THEN '00000000-0000-0000-0000-000000000000'::uuid
                ELSE (SELECT id FROM slice ORDER BY id LIMIT 1) END AS "from" FROM slice
       ), gone AS (
         DELETE FROM report_change c USING bounds WHERE c.kind = '${kind}' AND c.id < $before AND c.id >= bounds."from"
       ), changed_lead AS (SELECT id AS lead_id, NULL::text AS was, status FROM slice WHERE '${kind}' = 'lead'),
       changed_delivery AS (
         SELECT id AS delivery_id, NULL::text AS was, NULL::timestamptz AS was_at, NULL::text AS was_failure, status, status_at, failure FROM slice WHERE '${kind}' = 'delivery'),
       new_transfer AS (SELECT id AS transfer_id FROM slice WHERE '${kind}' = 'transfer'), ${FOLD},
       moved AS (UPDATE report_progress SET ${column} = bounds."from", batch = batch + 1 FROM bounds)
       SELECT count(*) AS folded FROM slice`,
    ),
  ]),
) as Readonly<Record<HistoryKind, ReturnType<typeof statement<History, { folded: number }>>>>;

/** All facts wait for the cells of another zone. */
export const clearCells = statement<{ readonly timeZone: string }>(
  'reports.clear_cells',
  `WITH gone AS (DELETE FROM report_cell) UPDATE report_progress SET time_zone = $timeZone, celled_batch = 0`,
);

/** Whether so many facts wait for the cells that reading them costs more than adding them. */
export const areCellsDue = statement<{ readonly facts: number }, { areDue: boolean }>(
  'reports.are_cells_due',
  `SELECT count(*) >= $facts AS "areDue" FROM (
     SELECT FROM report_fact WHERE batch > (SELECT celled_batch FROM report_progress) LIMIT $facts) AS waiting`,
);

/** Adds the next batches of facts, up to $facts of them or one batch, to the cells. */
export const foldCells = statement<{ readonly facts: number }, { isMore: boolean }>(
  'reports.fold_cells',
  `WITH progress AS (SELECT * FROM report_progress), bounds AS (
     SELECT coalesce(max(batch), (SELECT batch FROM progress)) AS last FROM (
       SELECT batch FROM (SELECT batch, sum(count(*)) OVER (ORDER BY batch) AS facts, min(batch) OVER () AS first
                          FROM report_fact WHERE batch > (SELECT celled_batch FROM progress)
                            AND batch <= (SELECT celled_batch + ${BATCHES_MAX} FROM progress) GROUP BY batch) AS counted
       WHERE facts <= $facts::bigint OR batch = first
       UNION ALL
       SELECT celled_batch + ${BATCHES_MAX} FROM progress WHERE NOT EXISTS (
         SELECT FROM report_fact WHERE batch > (SELECT celled_batch FROM progress) AND batch <= (SELECT celled_batch + ${BATCHES_MAX} FROM progress))
     ) AS chosen
   ), facts AS (
     SELECT at AT TIME ZONE (SELECT time_zone FROM progress) AS local, f.* FROM report_fact f
     WHERE batch > (SELECT celled_batch FROM progress) AND batch <= (SELECT last FROM bounds)
   ), ${WITH_CELLS}, celled AS (
     INSERT INTO report_cell AS c (rollup, level, slot, ${NAMES}, ${FACT_SUMS.join(', ')}) SELECT * FROM cells
     ON CONFLICT (rollup, level, slot, ${NAMES}) DO UPDATE SET
       ${FACT_SUMS.map((name) => `${name} = nullif(coalesce(c.${name}, 0) + coalesce(excluded.${name}, 0), 0)`).join(', ')}
   ), moved AS (UPDATE report_progress SET celled_batch = least(bounds.last, batch) FROM bounds)
   SELECT bounds.last < progress.batch AS "isMore" FROM bounds, progress`,
);
