// Compares the tables of a marketplace with each other: statements that must hold at any instant, and those that must hold once nothing is
// pending.
import type pg from 'pg';

import { checkInvoices } from '../../src/invoices/check-invoices.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** Each query finds rows that contradict its sentence. */
const ALWAYS: Readonly<Record<string, string>> = {
  'a confirmed delivery is charged once, with its payout; nothing else is charged': `
    SELECT d.delivery_id, c.delivery_id AS charged, d.cents, c.cents AS charged_cents
    FROM (SELECT delivery_id, payout_cents AS cents FROM delivery WHERE status IN ('Confirmed', 'Returned') AND payout_cents > 0) d
    FULL JOIN (SELECT delivery_id, sum(amount_cents) AS cents FROM transfer WHERE type = 'charge' GROUP BY 1) c USING (delivery_id)
    WHERE d.cents IS DISTINCT FROM c.cents`,
  'a confirmed sale costs once what its terms say, a fixed amount once per lead; nothing else costs': `
    WITH posted AS (SELECT delivery_id, sum(amount_cents) AS cents FROM transfer WHERE type = 'cost' GROUP BY 1),
    sold AS (
      SELECT CASE c.model WHEN 'fixed' THEN d.lead_id ELSE d.delivery_id END AS owed_for, c.cost_cents, p.cents, d.delivery_id
      FROM delivery d JOIN delivery_cost c USING (delivery_id) LEFT JOIN posted p USING (delivery_id)
      WHERE d.status IN ('Confirmed', 'Returned') AND c.cost_cents > 0)
    SELECT owed_for, count(cents) AS posted FROM sold GROUP BY 1 HAVING count(cents) <> 1 OR bool_or(cents <> cost_cents)
    UNION ALL SELECT delivery_id, 0 FROM posted WHERE delivery_id NOT IN (SELECT delivery_id FROM sold)`,
  'a share is a share of the price that is charged, half a cent up': `
    SELECT d.delivery_id, d.payout_cents, c.share, c.cost_cents FROM delivery d JOIN delivery_cost c USING (delivery_id)
    WHERE d.status IN ('Confirmed', 'Returned') AND c.model = 'share' AND c.cost_cents <> (2 * d.payout_cents * c.share + 10000) / 20000`,
  'only a failed delivery has a reason of its failure': `SELECT delivery_id FROM delivery WHERE failure IS NOT NULL AND status <> 'Failed'`,
  'no more is taken back from a supplier than a lead costs': `
    SELECT d.lead_id FROM transfer t JOIN delivery d USING (delivery_id) WHERE t.type IN ('cost', 'clawback')
    GROUP BY 1 HAVING sum(CASE t.type WHEN 'cost' THEN t.amount_cents ELSE -t.amount_cents END) < 0`,
  'what is held of a buyer is the sum of its pending deliveries': `
    SELECT a.buyer_key, a.held_cents, p.cents FROM account a
    LEFT JOIN (SELECT buyer_key, sum(payout_cents) AS cents FROM delivery WHERE status = 'Pending' GROUP BY 1) p USING (buyer_key)
    WHERE a.kind = 'buyer' AND a.held_cents <> coalesce(p.cents, 0)`,
  'a counter has as many slots taken as deliveries that took one and did not fail': `
    SELECT c.offer_key, c.cap_window, c.used, t.slots, c.used_cents, t.cents FROM cap_counter c
    FULL JOIN (
      SELECT d.offer_key, s->>'window' AS cap_window, to_timestamp((s->>'startsAt')::bigint / 1000) AS starts_at,
             count(*) AS slots, sum(d.payout_cents) AS cents
      FROM delivery d, jsonb_array_elements(d.cap_windows) AS s WHERE d.status <> 'Failed' GROUP BY 1, 2, 3) t
      USING (offer_key, cap_window, starts_at)
    WHERE coalesce(c.used, 0) <> coalesce(t.slots, 0) OR coalesce(c.used_cents, 0) <> coalesce(t.cents, 0)`,
  'a supplier counts its leads by status as they stand': `
    SELECT * FROM (SELECT supplier_key, public_status, sum(leads) AS leads, sum(score_sum) AS score FROM lead_count
                   GROUP BY 1, 2 HAVING sum(leads) <> 0) c
    FULL JOIN (SELECT supplier_key, public_status, count(*) AS leads, coalesce(sum(score), 0) AS score FROM lead
               WHERE NOT is_test GROUP BY 1, 2) l USING (supplier_key, public_status)
    WHERE c.leads IS DISTINCT FROM l.leads OR c.score IS DISTINCT FROM l.score`,
  'a supplier counts its accepted leads by ten of their score': `
    SELECT * FROM (SELECT supplier_key, ten.place, sum(scores_by_ten[ten.place]) AS leads
                   FROM lead_count, generate_series(1, 10) AS ten (place) WHERE scores_by_ten IS NOT NULL GROUP BY 1, 2) c
    FULL JOIN (SELECT supplier_key, least(score / 10, 9) + 1 AS place, count(*) AS leads FROM lead
               WHERE is_accepted AND NOT is_test GROUP BY 1, 2) l USING (supplier_key, place)
    WHERE coalesce(c.leads, 0) <> coalesce(l.leads, 0)`,
  'a supplier counts its refusals by each of their faults': `
    SELECT * FROM (SELECT supplier_key, reason, sum(leads) AS leads FROM refusal_count GROUP BY 1, 2) c
    FULL JOIN (SELECT supplier_key, fault AS reason, count(*) AS leads
               FROM lead, unnest(string_to_array(reason, '; ')) AS told (fault) WHERE NOT is_accepted AND NOT is_test GROUP BY 1, 2) l
      USING (supplier_key, reason)
    WHERE c.leads IS DISTINCT FROM l.leads`,
  'a buyer counts its deliveries by status as they stand': `
    SELECT * FROM (SELECT buyer_key, offer_key, status, sum(deliveries) AS deliveries, sum(payout_cents) AS cents FROM delivery_count
                   GROUP BY 1, 2, 3 HAVING sum(deliveries) <> 0) c
    FULL JOIN (SELECT buyer_key, offer_key, status, count(*) AS deliveries, sum(payout_cents) AS cents FROM delivery GROUP BY 1, 2, 3) d
      USING (buyer_key, offer_key, status)
    WHERE c.deliveries IS DISTINCT FROM d.deliveries OR c.cents IS DISTINCT FROM d.cents`,
  'a delivery that is pending at a channel, and no other, has a job': `
    SELECT j.delivery_id, d.delivery_id, d.status FROM (SELECT * FROM send_job WHERE purpose = 'sale') j
    FULL JOIN (SELECT * FROM delivery WHERE status = 'Pending') d ON d.delivery_id = j.delivery_id AND d.channel = j.channel
    WHERE j.delivery_id IS NULL OR d.delivery_id IS NULL`,
  'a lead in the inbox is not decided, and one that is not decided is in the inbox or a dead job': `
    SELECT i.lead_id, l.lead_id, l.state FROM (
      SELECT lead_id FROM routing_inbox UNION ALL SELECT (payload->>'leadId')::uuid FROM dead_job WHERE name = 'route-lead') i
    FULL JOIN (SELECT * FROM lead WHERE state IN ('received', 'held')) l USING (lead_id)
    WHERE i.lead_id IS NULL OR l.lead_id IS NULL`,
  'every delivery stands once in the feed of its partner': `
    SELECT d.delivery_id, e.subject_id FROM delivery d
    FULL JOIN (SELECT * FROM buyer_event WHERE type = 'lead.delivered') e ON e.subject_id = d.delivery_id AND e.buyer_key = d.buyer_key
    WHERE d.delivery_id IS NULL OR e.subject_id IS NULL`,
  'the feed of a partner has no gaps and ends at its head': `
    SELECT h.buyer_key, h.last_number, e.last, e.events FROM buyer_event_head h
    FULL JOIN (SELECT buyer_key, max(number) AS last, count(*) AS events FROM buyer_event GROUP BY 1) e USING (buyer_key)
    WHERE h.last_number IS DISTINCT FROM e.last OR h.last_number IS DISTINCT FROM e.events`,
  'a test lead is not delivered': `SELECT lead_id FROM delivery JOIN lead USING (lead_id) WHERE is_test`,
};

/** Must hold once every lead is decided and every delivery has ended. */
const AT_REST: Readonly<Record<string, string>> = {
  'every lead has reached a final state': `SELECT lead_id, state FROM lead WHERE state NOT IN ('routed', 'rejected')`,
  'every delivery has reached a final state': `SELECT delivery_id FROM delivery WHERE status = 'Pending'`,
  'no attempt is still under way': `
    SELECT attempt_id FROM attempt WHERE state = 'scheduled' UNION ALL
    SELECT attempt_id FROM send_job WHERE attempt_id IS NOT NULL UNION ALL
    SELECT lease_id FROM message_job WHERE lease_id IS NOT NULL AND owner_kind = 'buyer'`,
};

/** Every contradiction in words; empty if the tables agree. */
export async function ledgerFaults(database: Database, { atRest = true } = {}): Promise<string[]> {
  const faults: string[] = [];
  for (const [sentence, sql] of Object.entries({ ...ALWAYS, ...(atRest ? AT_REST : {}) })) {
    const rows = await select(database, sql);
    if (rows.length > 0)
      faults.push(`it is not so that ${sentence}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  }
  const ledger = await checkLedger(database);
  return [...faults, ...ledger.faults, ...(await checkInvoices(database))];
}

/** The number of leads per public status, without test leads. */
export async function leadsByStatus(database: Database): Promise<Record<string, number>> {
  const rows = await select<{ status: string; leads: number }>(
    database,
    `SELECT public_status AS status, count(*) AS leads FROM lead WHERE NOT is_test GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ status, leads }) => [status, leads]));
}

/** Rows of a statement that only tests use. */
export async function select<Row extends pg.QueryResultRow>(
  database: Database,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await database.pool.query<Row>(sql, [...values])).rows;
}
