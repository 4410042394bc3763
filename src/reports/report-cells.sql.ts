// SQL that answers a report from the roll-ups, or from the facts where no roll-up has its dimensions, together with the changes that are not
// folded yet (contract 12.1, decision 061).
import { statement } from '../platform/database/database.ts';
import { FACT_COLUMNS, FACT_SUMS, FACTS } from './report-facts.sql.ts';
import { DIMENSION_COLUMNS, groupedText, type GroupParams, type GroupRow, RANGES } from './report-group.sql.ts';
import type { SpanParams } from './report-reference.sql.ts';
import { type ColumnDimension, reportDimensions, type ReportDimension, timeDimensions } from './report.schema.ts';

export type CellParams = {
  readonly rollup: number;
  readonly levels: readonly number[];
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  /** Slots are days of the zone of the question; else hours of UTC. */
  readonly isLocal: boolean;
};

/** What a partner's report has: its role may not read the other columns (migration 0042). */
const PARTNER_COLUMNS: readonly ColumnDimension[] = ['partner', 'offer', 'eventType', 'state', 'priceBand'];
const PARTNER_DIMENSIONS: readonly ReportDimension[] = [...timeDimensions, ...PARTNER_COLUMNS];
const PARTNER_WITHOUT = ['submitted', 'accepted', 'sold', 'unsold', 'cost_cents', 'rejected', 'duplicates'];
const partnerColumns = [
  ...PARTNER_COLUMNS.map((name) => DIMENSION_COLUMNS[name]),
  ...FACT_SUMS.filter((name) => !PARTNER_WITHOUT.includes(name)),
].join(', ');

/** With the upper bound, which holds for all rows, the planner expects few rows and reads the index on batches instead of all facts. */
const NOT_IN_CELLS =
  'batch > (SELECT celled_batch FROM report_progress) AND batch <= (SELECT batch FROM report_progress)';

const cells = (columns: string): string =>
  `SELECT CASE WHEN $isLocal THEN slot ELSE slot AT TIME ZONE 'UTC' AT TIME ZONE $timeZone END AS local, ${columns}
   FROM unnest($levels::smallint[], $starts::text[], $ends::text[]) AS run (level, starts_at, ends_at)
   JOIN report_cell c ON c.rollup = $rollup AND c.level = run.level AND c.slot >= run.starts_at::timestamp
     AND c.slot < run.ends_at::timestamp
   UNION ALL
   SELECT at AT TIME ZONE $timeZone, ${columns} FROM report_fact
   WHERE ${NOT_IN_CELLS} AND at >= $from AND at < $until`;

const facts = (columns: string): string =>
  `SELECT at AT TIME ZONE $timeZone AS local, ${columns} FROM report_fact WHERE at >= $from AND at < $until`;

/** Rows from before a roll-up existed are counted with their part of the history, not by their changes. */
export const WITH_CHANGES = (changes: string): string => `changed_lead AS (
     SELECT id AS lead_id, was, status FROM ${changes} AS c, report_progress WHERE kind = 'lead' AND id >= leads_from),
   changed_delivery AS (
     SELECT id AS delivery_id, was, was_at, was_failure, status, status_at, failure FROM ${changes} AS c, report_progress
     WHERE kind = 'delivery' AND id >= deliveries_from),
   new_transfer AS (SELECT id AS transfer_id FROM ${changes} AS c, report_progress WHERE kind = 'transfer' AND id >= transfers_from)`;

const REST = `SELECT at AT TIME ZONE $timeZone AS local, ${FACT_COLUMNS} FROM (${FACTS}) AS fresh WHERE at >= $from AND at < $until`;

const WITH_REST = `WITH waiting AS MATERIALIZED (SELECT * FROM report_change WHERE $withRest::boolean), ${WITH_CHANGES('waiting')}`;

type Read = GroupParams & SpanParams;
type WithRest = { readonly withRest: boolean };

/** With the ranges of seconds, and without. */
function bothWays<Params>(name: string, text: (without: readonly string[]) => string) {
  return {
    withSeconds: statement<Params, GroupRow>(`${name}_with_seconds`, text([])),
    plain: statement<Params, GroupRow>(name, text(RANGES)),
  };
}

export const groupFromCells = bothWays<Read & CellParams & WithRest>(
  'reports.group_from_cells',
  (without) =>
    `${WITH_REST} ${groupedText(`${cells(FACT_COLUMNS)} UNION ALL ${REST}`, { dimensions: reportDimensions, without })}`,
);

export const groupFromFacts = bothWays<Read & WithRest>(
  'reports.group_from_facts',
  (without) =>
    `${WITH_REST} ${groupedText(`${facts(FACT_COLUMNS)} UNION ALL ${REST}`, { dimensions: reportDimensions, without })}`,
);

type OfPartner = Omit<Read, 'supplierValues' | 'sourceValues' | 'campaignValues' | 'scoreBandValues' | 'withLeads'>;

/** For a partner's role, which sees its own sums only and not the changes that are not folded yet. */
export const groupPartnerFromCells = bothWays<OfPartner & CellParams>('reports.group_partner_from_cells', (without) =>
  groupedText(cells(partnerColumns), { dimensions: PARTNER_DIMENSIONS, without: [...PARTNER_WITHOUT, ...without] }),
);

export const groupPartnerFromFacts = bothWays<OfPartner>('reports.group_partner_from_facts', (without) =>
  groupedText(facts(partnerColumns), { dimensions: PARTNER_DIMENSIONS, without: [...PARTNER_WITHOUT, ...without] }),
);

export type Progress = {
  /** Whose days the cells have. */
  cellZone: string;
  foldedAt: Date | null;
  /** All rows from before the roll-ups are folded. */
  isComplete: boolean;
};

export const readProgressSql = statement<void, Progress>(
  'reports.read_progress',
  `SELECT time_zone AS "cellZone", folded_at AS "foldedAt",
          greatest(leads_from, deliveries_from, transfers_from) = '00000000-0000-0000-0000-000000000000' AS "isComplete"
   FROM report_progress`,
);

/** Counts no further than $atMost. */
export const countWaiting = statement<{ readonly atMost: number }, { waiting: number }>(
  'reports.count_waiting',
  `SELECT count(*) AS waiting FROM (SELECT FROM report_change LIMIT $atMost) AS first_of_all`,
);
