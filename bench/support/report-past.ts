// Facts of a year of deliveries for reports, as the fold leaves them: one row per lead and one per delivery, because hardly two of them share
// all dimensions and a quarter of an hour.
import { prepareToFill } from './partner-past.ts';
import type { Engine } from './service.ts';

export const REPORT_DAYS = 365;
export const REPORT_MARKET = {
  suppliers: 20,
  sources: 5,
  campaigns: 30,
  partners: 40,
  offers: 100,
  states: 50,
} as const;

const { suppliers, sources, campaigns, partners, offers, states } = REPORT_MARKET;
const WAITING = 45_000;

/** Every third lead is not sold. */
const LEADS_PER_SALE = 1.5;

// Quarters of an hour, evenly over the year: what the hours of a day change is the same for all sizes.
const AT = `date_bin('15 minutes', $2::timestamptz - interval '${REPORT_DAYS} days' * (1 - n / $1::float8), '2000-01-01Z')`;

/** Of 50,000 facts, as the fold adds to the cells at once. */
const BATCH = `(n / 20000)::bigint + 1`;

const LEAD = `'s' || supplier AS supplier, 'source ' || source AS source, 'campaign ' || supplier || '-' || campaign AS campaign`;
const BAND = `CASE WHEN band = 9 THEN '90-100' ELSE (band * 10) || '-' || (band * 10 + 9) END AS score_band`;
const CHANCE = `floor(random() * ${suppliers})::int AS supplier, floor(random() * ${sources})::int AS source,
  floor(random() * ${campaigns})::int AS campaign, floor(random() * ${states})::int AS state, floor(random() * 10)::int AS band,
  floor(random() * ${offers})::int AS offer, floor(random() * 8)::int + 2 AS seconds, random() AS luck`;

const FACTS = [
  `INSERT INTO report_fact (batch, at, supplier, source, campaign, partner, offer, event_type, state, score_band, price_band,
                            submitted, accepted, sold, unsold)
   SELECT ${BATCH}, ${AT}, ${LEAD}, '', '', '', 'S' || state, ${BAND}, '', 1, 1,
          CASE WHEN luck < ${1 / LEADS_PER_SALE} THEN 1 END, CASE WHEN luck >= ${1 / LEADS_PER_SALE} THEN 1 END
   FROM (SELECT n / ${LEADS_PER_SALE} AS n, ${CHANCE} FROM generate_series(1, ($1::int * ${LEADS_PER_SALE})::int) AS n) AS lead`,
  `INSERT INTO report_fact (batch, at, supplier, source, campaign, partner, offer, event_type, state, score_band, price_band,
                            deliveries, kept, returned, settled, failed, price_cents, revenue_cents, cost_cents, s1, s4, s5, s6)
   SELECT ${BATCH}, ${AT}, ${LEAD}, 'p' || offer % ${partners}, 'o' || offer, CASE WHEN offer % 10 = 0 THEN 'Calendar Assigned' ELSE 'Lead Sale' END,
          'S' || state, ${BAND}, report_price_band(1500 + offer * 60), 1, CASE WHEN luck > 0.02 THEN 1 END,
          CASE WHEN luck > 0.95 THEN 1 END, 1, CASE WHEN luck <= 0.02 THEN 1 END, CASE WHEN luck > 0.02 THEN 1500 + offer * 60 END,
          CASE WHEN luck > 0.02 THEN 1500 + offer * 60 END, CASE WHEN luck > 0.02 THEN 900 + offer * 36 END,
          CASE WHEN luck > 0.02 AND seconds < 3 THEN 1 END, CASE WHEN luck > 0.02 AND seconds BETWEEN 3 AND 5 THEN 1 END,
          CASE WHEN luck > 0.02 AND seconds BETWEEN 6 AND 7 THEN 1 END, CASE WHEN luck > 0.02 AND seconds > 7 THEN 1 END
   FROM (SELECT n, ${CHANCE} FROM generate_series(1, $1::int) AS n) AS delivery`,
];

/** The roll-ups are left to the fold. */
export async function plantFacts({ client }: Engine, deliveries: number, now: Date): Promise<void> {
  await prepareToFill(client);
  for (const text of FACTS) await client.query(text, [deliveries, now]);
  await client.query('UPDATE report_progress SET batch = (SELECT max(batch) FROM report_fact)');
}

/** As many facts as may wait for the cells, of the last days. */
export async function plantWaitingFacts({ client }: Engine): Promise<void> {
  await client.query(
    `WITH next AS (UPDATE report_progress SET batch = batch + 1 RETURNING batch)
     INSERT INTO report_fact SELECT (SELECT batch FROM next), at, supplier, source, campaign, partner, offer, event_type, state, score_band,
            price_band, submitted, accepted, sold, unsold, deliveries, kept, returned, settled, failed, price_cents, revenue_cents, cost_cents
     FROM (SELECT * FROM report_fact ORDER BY batch DESC LIMIT ${WAITING}) AS last`,
  );
}
