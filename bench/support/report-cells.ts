// Fills the roll-ups of reports from all facts at once: what the fold leaves after a year, in minutes instead of an hour.
import pg from 'pg';

import { FACT_DIMENSIONS, FACT_SUMS } from '../../src/reports/report-facts.sql.ts';
import { DIMENSION_COLUMNS } from '../../src/reports/report-group.sql.ts';
import { type Level, LEVELS, type Rollup, ROLLUPS } from '../../src/reports/rollups.rules.ts';
import { prepareToFill } from './partner-past.ts';
import type { Engine } from './service.ts';

const ONLY_DELIVERIES: readonly string[] = ['partner', 'offer', 'eventType', 'priceBand'];
const LEAD_SUMS: readonly string[] = ['submitted', 'accepted', 'sold', 'unsold'];
const COLUMNS = [...FACT_DIMENSIONS, ...FACT_SUMS].join(', ');
/** Per statement: a month of the widest roll-up is grouped in memory. */
const WORK_MEM = '1500MB';

const SLOTS: Readonly<Record<Level, string>> = {
  hour: `date_trunc('hour', at AT TIME ZONE 'UTC')`,
  day: `date_trunc('day', at AT TIME ZONE $zone)`,
  part: `date_trunc('month', slot) + least(25, (extract(day FROM slot)::int - 1) / 5 * 5) * interval '1 day'`,
  month: `date_trunc('month', slot)`,
};

/** Fine levels are added up from facts, the others from the days of the same roll-up. */
function fillText({ number, dimensions, levels }: Rollup, level: Level): string {
  const isFine = level === 'hour' || level === 'day';
  const columns: readonly string[] = dimensions.map((name) => DIMENSION_COLUMNS[name]);
  const countsLeads = !dimensions.some((name) => ONLY_DELIVERIES.includes(name));
  const values = [
    ...FACT_DIMENSIONS.map((name) => (columns.includes(name) ? name : `''`)),
    ...FACT_SUMS.map((name) =>
      isFine && !countsLeads && LEAD_SUMS.includes(name) ? 'NULL::bigint' : `nullif(sum(${name}), 0)::bigint`,
    ),
  ];
  const from = isFine
    ? `report_fact WHERE at >= $from AND at < $until ${countsLeads ? '' : 'AND deliveries IS NOT NULL'}`
    : `report_cell WHERE rollup = ${number} AND level = ${LEVELS.day} AND slot >= $from_slot AND slot < $until_slot`;
  if (!levels.includes(level)) throw new Error(`roll-up ${number} has no level ${level}`);
  return `INSERT INTO report_cell (rollup, level, slot, ${COLUMNS})
    SELECT ${number}, ${LEVELS[level]}, ${SLOTS[level]} AS at_slot, ${values.join(', ')} FROM ${from}
    GROUP BY at_slot${columns.map((name) => `, ${name}`).join('')}`;
}

/** The cells of all planted facts, with the days of `zone`. */
export async function fillCells(engine: Engine, zone: string): Promise<void> {
  const { client } = engine;
  await client.query('TRUNCATE report_cell');
  await client.query('ALTER TABLE report_cell DROP CONSTRAINT report_cell_pkey');
  const months = await client.query<{ from: string; until: string }>(
    `SELECT m::text AS from, (m + interval '1 month')::text AS until
     FROM (SELECT min(at) AT TIME ZONE $1 AS first, max(at) AT TIME ZONE $1 AS last FROM report_fact) AS span,
          generate_series(date_trunc('month', first), last, interval '1 month') AS m`,
    [zone],
  );
  const second = new pg.Client(engine.connection);
  await second.connect();
  const fill = async (on: pg.Client, rollups: readonly Rollup[]): Promise<void> => {
    await prepareToFill(on);
    await on.query(`SET work_mem = '${WORK_MEM}'`);
    for (const month of months.rows) for (const rollup of rollups) await fillMonth(on, rollup, { ...month, zone });
  };
  // About the same work for both.
  await Promise.all([
    fill(
      client,
      ROLLUPS.filter(({ number }) => [1, 3, 6, 8].includes(number)),
    ),
    fill(
      second,
      ROLLUPS.filter(({ number }) => ![1, 3, 6, 8].includes(number)),
    ),
  ]);
  await second.end();
  await client.query(`SET maintenance_work_mem = '2GB'`);
  await client.query(
    `ALTER TABLE report_cell ADD CONSTRAINT report_cell_pkey PRIMARY KEY (rollup, level, slot, ${FACT_DIMENSIONS.join(', ')})`,
  );
  await client.query(`RESET work_mem`);
  await client.query('UPDATE report_progress SET time_zone = $1, celled_batch = batch', [zone]);
}

type Month = { readonly from: string; readonly until: string; readonly zone: string };

async function fillMonth(on: pg.Client, rollup: Rollup, { from, until, zone }: Month): Promise<void> {
  const quoted = (text: string): string => on.escapeLiteral(text);
  for (const level of rollup.levels) {
    const text = fillText(rollup, level)
      .replaceAll('$from_slot', `${quoted(from)}::timestamp`)
      .replaceAll('$until_slot', `${quoted(until)}::timestamp`)
      .replaceAll('$from', `(${quoted(from)}::timestamp AT TIME ZONE ${quoted(zone)})`)
      .replaceAll('$until', `(${quoted(until)}::timestamp AT TIME ZONE ${quoted(zone)})`)
      .replaceAll('$zone', quoted(zone));
    await on.query(text);
  }
}

/** Equal for equal cells. */
export async function cellsDigest({ client }: Engine): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(
    `SELECT sum(hashtextextended(c::text, 0))::text || ' ' || count(*) AS digest FROM report_cell c`,
  );
  return rows[0]?.digest ?? '';
}
