// The SQL text that turns leads, deliveries and transfers into what reports add up, with everything by which it can be split
// (contract 12.1). Used on all rows of the tables, and on the changes that the roll-ups do not contain yet.
import { SECONDS_UP_TO } from './report-values.rules.ts';

/** The columns by which a report splits and filters; an empty text is no value. */
export const FACT_DIMENSIONS = [
  'supplier',
  'source',
  'campaign',
  'partner',
  'offer',
  'event_type',
  'state',
  'score_band',
  'price_band',
] as const;

/** Sums of one range of seconds each: `s1` to `s15`. */
const RANGES = [...SECONDS_UP_TO, null].map((_, index) => `s${index + 1}`);

export const FACT_SUMS = [
  ...['submitted', 'accepted', 'sold', 'unsold', 'deliveries', 'kept', 'returned', 'settled', 'failed'],
  ...['price_cents', 'revenue_cents', 'cost_cents'],
  ...RANGES,
  // Last, as in the tables, whose columns the check compares in their order.
  ...['rejected', 'duplicates'],
] as const;

/** Selects zeros for all sums but the given ones, in the order of `FACT_SUMS`. */
const sums = (given: Readonly<Record<string, string>>): string =>
  FACT_SUMS.map((name) => `(${given[name] ?? '0'})::bigint AS ${name}`).join(', ');

// Erasure empties the fields of an accepted lead.
const member = (name: string): string =>
  `CASE WHEN l.fields IS NOT NULL THEN report_member(l.fields, '${name}') WHEN l.is_accepted THEN '(erased)' ELSE '' END`;

const leadColumns = (offer: Readonly<Record<'partner' | 'offer' | 'event_type' | 'price_band', string>>): string =>
  `l.supplier_key AS supplier, ${member('source')} AS source, ${member('utmCampaign')} AS campaign, ${offer.partner} AS partner,
   ${offer.offer} AS offer, ${offer.event_type} AS event_type, ${member('state')} AS state, report_score_band(l.score) AS score_band,
   ${offer.price_band} AS price_band`;

// By the price at the sale, which a price in the partner's response does not change.
const PRICE_BAND = 'report_price_band(coalesce(d.price_max_cents, d.payout_cents))';

const ofDelivery = leadColumns({
  partner: 'd.buyer_key',
  offer: 'd.offer_key',
  event_type: 'd.event_type',
  price_band: PRICE_BAND,
});

const is = (column: string, ...statuses: readonly string[]): string =>
  `coalesce(${column} IN (${statuses.map((status) => `'${status}'`).join(', ')}), false)::int`;
const change = (...statuses: readonly string[]): string =>
  `${is('c.status', ...statuses)} - ${is('c.was', ...statuses)}`;

const LEADS = `SELECT l.received_at AS at, ${leadColumns({ partner: "''", offer: "''", event_type: "''", price_band: "''" })},
   ${sums({
     submitted: '(c.was IS NULL)::int',
     accepted: '(c.was IS NULL AND l.is_accepted)::int',
     sold: change('Lead Sale', 'Calendar Assigned'),
     unsold: change('No Buyer', 'Duplicate', 'Suppressed'),
   })}
 FROM changed_lead c JOIN lead l USING (lead_id) WHERE NOT l.is_test`;

const DELIVERED = `SELECT d.delivered_at AS at, ${ofDelivery},
   ${sums({
     deliveries: '(c.was IS NULL)::int',
     kept: change('Confirmed', 'Returned'),
     returned: change('Returned'),
   })}
 FROM changed_delivery c JOIN delivery d USING (delivery_id) JOIN lead l USING (lead_id) WHERE NOT l.is_test`;

const RANGE = `width_bucket(extract(epoch FROM s.at - l.received_at)::float8, ARRAY[${SECONDS_UP_TO.join(', ')}]::float8[])`;

// A change takes the old outcome away at its time and adds the new one at its own.
const SETTLED = `SELECT s.at, ${ofDelivery},
   ${sums({
     settled: 's.step',
     failed: `s.step * ${is('s.status', 'Failed')}`,
     rejected: `s.step * ${is('s.failure', 'rejected')}`,
     duplicates: `s.step * ${is('s.failure', 'duplicate')}`,
     price_cents: `s.step * ${is('s.status', 'Confirmed', 'Returned')} * d.payout_cents`,
     ...Object.fromEntries(
       RANGES.map((name, index) => [
         name,
         `CASE WHEN s.status <> 'Failed' AND ${RANGE} = ${index} THEN s.step ELSE 0 END`,
       ]),
     ),
   })}
 FROM changed_delivery c CROSS JOIN LATERAL (VALUES (-1, c.was, c.was_at, c.was_failure), (1, c.status, c.status_at, c.failure)) AS s (step, status, at, failure)
 JOIN delivery d USING (delivery_id) JOIN lead l USING (lead_id)
 WHERE NOT l.is_test AND s.at IS NOT NULL
   AND (c.was_at IS DISTINCT FROM c.status_at OR (c.was = 'Failed') IS DISTINCT FROM (c.status = 'Failed'))`;

/** The key of the partner or the supplier whose account is on either side of a transfer. */
const BUYER = `CASE WHEN t.from_account LIKE 'buyer:%' THEN substr(t.from_account, 7)
   WHEN t.to_account LIKE 'buyer:%' THEN substr(t.to_account, 7) ELSE '' END`;
const SUPPLIER = `CASE WHEN t.from_account LIKE 'supplier:%' THEN substr(t.from_account, 10)
   WHEN t.to_account LIKE 'supplier:%' THEN substr(t.to_account, 10) ELSE '' END`;

// Hand-made credits and adjustments belong to a partner and to no delivery.
const MONEY = `SELECT t.created_at AS at, coalesce(l.supplier_key, ${SUPPLIER}) AS supplier,
   coalesce(${member('source')}, '') AS source, coalesce(${member('utmCampaign')}, '') AS campaign,
   coalesce(d.buyer_key, ${BUYER}) AS partner, coalesce(d.offer_key, '') AS offer, coalesce(d.event_type, '') AS event_type,
   coalesce(${member('state')}, '') AS state, report_score_band(l.score) AS score_band,
   coalesce(${PRICE_BAND}, '') AS price_band,
   ${sums({
     revenue_cents: `CASE WHEN t.type NOT IN ('charge', 'credit', 'adjustment') THEN 0
       WHEN t.from_account LIKE 'buyer:%' THEN t.amount_cents WHEN t.to_account LIKE 'buyer:%' THEN -t.amount_cents ELSE 0 END`,
     cost_cents: `CASE t.type WHEN 'cost' THEN t.amount_cents WHEN 'clawback' THEN -t.amount_cents ELSE 0 END`,
   })}
 FROM new_transfer c JOIN transfer t USING (transfer_id)
 LEFT JOIN delivery d ON d.delivery_id = t.delivery_id
 LEFT JOIN lead l ON l.lead_id = d.lead_id
 WHERE t.type IN ('charge', 'credit', 'adjustment', 'cost', 'clawback')`;

/**
 * Facts with their time `at`. Reads the relations `changed_lead` (lead_id, was, status), `changed_delivery` (delivery_id, was, was_at,
 * was_failure, status, status_at, failure) and `new_transfer` (transfer_id), which the statement defines: `was` is null for a row that is
 * new, `…_at` the time at which the delivery was confirmed or failed, and `…failure` says how a partner's system rejected it.
 */
export const FACTS = [LEADS, DELIVERED, SETTLED, MONEY].map((text) => `(${text})`).join('\nUNION ALL\n');

/** All columns of facts but their time. */
export const FACT_COLUMNS = [...FACT_DIMENSIONS, ...FACT_SUMS].join(', ');
