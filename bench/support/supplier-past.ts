// A month of sold leads of one supplier, planted by SQL with the rows that routing, sending and the ledger would have left.
import type { Engine } from './service.ts';
import { FIELDS, idOf, prepareToFill } from './partner-past.ts';

export const SUPPLIER = 'bench';
const COST_CENTS = 2700;

/** $1 leads in the month that begins at $2, evenly, the first one hour into it. */
const SERIES = `SELECT n, $2::timestamptz + interval '1 hour' + (n - 1)::float8 / $1 * interval '27 days' AS at FROM generate_series(1, $1::int) AS n`;

const LEADS = `
  INSERT INTO lead (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, score, score_factors, received_at, decided_at,
                    content_hash, fields)
  SELECT ${idOf('lead')}, '${SUPPLIER}', 'crm-' || n, false, true, 'routed', 'Lead Sale', 70, '[]', at, at, '\\x00', ${FIELDS}
  FROM (${SERIES}) AS s`;
const DELIVERIES = `
  INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, ref_number, event_type, is_exclusive, status, payout_cents,
                        channel, cap_windows, delivered_at, confirmed_at)
  SELECT ${idOf('delivery')}, 'buyer-' || n % 100, ${idOf('lead')}, 'any', '${SUPPLIER}', 1000000000 + n, 'Lead Sale', true, 'Confirmed', 4500,
         'webhook', '[]', at, at
  FROM (${SERIES}) AS s`;
const COSTS = `
  INSERT INTO delivery_cost (delivery_id, model, cost_cents, share, clawback_days, hold_days)
  SELECT delivery_id, 'share', ${COST_CENTS}, 6000, 60, 14 FROM delivery`;
const TRANSFERS = `
  INSERT INTO transfer (transfer_id, business_key, type, from_account, to_account, amount_cents, description, delivery_id, created_at)
  SELECT lead_id, 'cost:' || delivery_id, 'cost', 'cost:${SUPPLIER}', 'supplier:${SUPPLIER}', ${COST_CENTS}, 'Lead Sale LS-' || ref_number,
         delivery_id, confirmed_at
  FROM delivery`;
const ENTRIES = `
  INSERT INTO entry (transfer_id, account_key, account_version, amount_cents, balance_after_cents, created_at)
  SELECT transfer_id, side.account_key, place, side.sign * amount_cents, side.sign * place * amount_cents, created_at
  FROM (SELECT *, row_number() OVER (ORDER BY created_at, transfer_id) AS place FROM transfer) AS t,
       LATERAL (VALUES (from_account, -1), (to_account, 1)) AS side (account_key, sign)`;
const ACCOUNTS = `
  UPDATE account a SET balance_cents = e.sum, version = e.count
  FROM (SELECT account_key, sum(amount_cents), count(*) FROM entry GROUP BY 1) e WHERE a.account_key = e.account_key`;

/** `month` in UTC, as `YYYY-MM`. The database must have the supplier, and no deliveries. */
export async function plantEarnings(
  { client }: Engine,
  { leads, month }: { readonly leads: number; readonly month: string },
): Promise<void> {
  await prepareToFill(client);
  for (const text of [LEADS, DELIVERIES]) await client.query(text, [leads, new Date(`${month}-01T00:00:00.000Z`)]);
  for (const text of [COSTS, TRANSFERS, ENTRIES, ACCOUNTS]) await client.query(text);
  for (const table of ['lead', 'delivery', 'delivery_cost', 'transfer', 'entry', 'account']) {
    await client.query(`VACUUM (ANALYZE) ${table}`);
  }
  await client.query('CHECKPOINT');
}
