// A year of deliveries to many partners, one of whom has a tenth of them: planted by SQL with the rows that routing, sending and the
// ledger would have left.
import pg from 'pg';

import type { Engine } from './service.ts';

export const PARTNERS = 1000;
/** The partner that has every tenth delivery. */
export const BIG_PARTNER = 'buyer-0';
export const DAYS = 365;
/** Only the size of the body matters for reading: about that of a form. */
export const FIELDS = `format('{"fullName":"Person %s","email":"person.%s@example.com","phone":"+1555%s","businessName":null,"state":"%s","debtAmountCents":%s,"source":"search","consentTimestamp":"2026-11-20T17:03:11.000Z","sourceFormUrl":"https://forms.example.com/debt?utm_source=search","tcpaConsent":true,"consentVersion":"v7","consentText":null,"leadIp":"203.0.113.24","utmSource":"search","utmMedium":"cpc","utmCampaign":"west","utmTerm":null,"utmContent":null,"trustedformCertUrl":null,"jornayaLeadId":null,"appointmentAt":null,"extra":{}}', n, n, lpad((n % 10000000)::text, 7, '0'), (ARRAY['CA','OR','WA','TX','NY'])[1 + n % 5], 500000 + (n % 89) * 100000)`;

/** Like ids of version 7: by time, then random. */
export const idOf = (what: string): string =>
  `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || substr(md5('${what}' || n), 1, 15))::uuid`;

/** $1 deliveries up to $2; the newest is the last. */
export const SERIES = `SELECT n, $2::timestamptz - ($1 - n)::float8 / $1 * interval '${DAYS} days' AS at FROM generate_series(1, $1::int) AS n`;

const INSERT_LEADS = `
  INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, score_factors, received_at, decided_at,
                    content_hash, fields)
  SELECT ${idOf('lead')}, 'bench', false, true, 'routed', CASE WHEN (n / 10) % 10 = 5 THEN 'Calendar Assigned' ELSE 'Lead Sale' END, 70, '[]', at, at,
         '\\x00', ${FIELDS}
  FROM (${SERIES}) AS s`;

const INSERT_DELIVERIES = `
  INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, ref_number, event_type, is_exclusive, status,
                        payout_cents, channel, cap_windows, delivered_at, confirmed_at, failed_at, returned_at, appointment_at)
  SELECT ${idOf('delivery')}, buyer_key, ${idOf('lead')}, buyer_key || '-all', 'bench', 1000000000 + n, event_type, status <> 'Failed', status,
         4500, 'webhook',
         '[{"window":"daily","startsAt":1763625600000},{"window":"weekly","startsAt":1763366400000},{"window":"monthly","startsAt":1761955200000}]',
         at, CASE WHEN status IN ('Confirmed', 'Returned') THEN at END, CASE WHEN status = 'Failed' THEN at END,
         CASE WHEN status = 'Returned' THEN at END, CASE WHEN event_type = 'Calendar Assigned' THEN at + interval '3 days' END
  FROM (
    SELECT n, at, 'buyer-' || CASE WHEN n % 10 = 0 THEN 0 ELSE 1 + (hashtext(n::text) & 1048575) % ${PARTNERS - 1} END AS buyer_key,
           CASE WHEN (n / 10) % 10 = 5 THEN 'Calendar Assigned' ELSE 'Lead Sale' END AS event_type,
           CASE WHEN n > $1 - greatest(100, $1 / 10000) THEN 'Pending' WHEN (n / 10) % 100 = 1 THEN 'Failed'
                WHEN (n / 10) % 50 = 2 THEN 'Returned' ELSE 'Confirmed' END AS status
    FROM (${SERIES}) AS s) AS d`;

/** Whose charges and events are planted: those of the big partner, or everybody's. */
type Whose = 'big partner' | 'all';
const CONDITION: Readonly<Record<Whose, string>> = { 'big partner': `buyer_key = '${BIG_PARTNER}'`, all: 'true' };

/** The charges of a partner and the credits for what it returned, in their order. */
const ledgerOf = (whose: Whose): readonly string[] => [
  `INSERT INTO transfer (transfer_id, business_key, type, from_account, to_account, amount_cents, description, delivery_id, created_at)
   SELECT lead_id, 'sale:planted-' || ref_number, 'charge', 'buyer:' || buyer_key, 'revenue:' || buyer_key, payout_cents,
          event_type || ' LS-' || ref_number, delivery_id, delivered_at
   FROM delivery WHERE ${CONDITION[whose]} AND confirmed_at IS NOT NULL`,
  `INSERT INTO transfer (transfer_id, business_key, type, from_account, to_account, amount_cents, description, delivery_id, created_at)
   SELECT gen_random_uuid(), 'credit:planted-' || ref_number, 'credit', 'revenue:' || buyer_key, 'buyer:' || buyer_key, payout_cents,
          'Return LS-' || ref_number, delivery_id, delivered_at
   FROM delivery WHERE ${CONDITION[whose]} AND confirmed_at IS NOT NULL AND status = 'Returned'`,
  `INSERT INTO entry (transfer_id, account_key, account_version, amount_cents, balance_after_cents, created_at)
   SELECT transfer_id, side.account_key, place, side.sign * amount_cents,
          CASE WHEN side.account_key LIKE 'buyer:%' THEN balance_cents ELSE -balance_cents END, created_at
   FROM (SELECT *, row_number() OVER history AS place,
                sum(CASE type WHEN 'charge' THEN -amount_cents ELSE amount_cents END) OVER history AS balance_cents
         FROM transfer
         WINDOW history AS (PARTITION BY split_part(from_account, ':', 2) ORDER BY created_at, transfer_id)) AS t,
        LATERAL (VALUES (from_account, -1), (to_account, 1)) AS side (account_key, sign)`,
  `UPDATE account a SET balance_cents = e.sum, version = e.count
   FROM (SELECT account_key, sum(amount_cents), count(*) FROM entry GROUP BY 1) e WHERE a.account_key = e.account_key`,
];

const COUNTS = `
  INSERT INTO delivery_count (buyer_key, day, status, event_type, offer_key, deliveries, payout_cents)
  SELECT buyer_key, (delivered_at AT TIME ZONE 'UTC')::date, status, event_type, offer_key, count(*), sum(payout_cents)
  FROM delivery GROUP BY 1, 2, 3, 4, 5`;

const eventsOf = (whose: Whose): readonly string[] => [
  `INSERT INTO buyer_event (buyer_key, number, type, subject_id, at)
   SELECT buyer_key, row_number() OVER (PARTITION BY buyer_key ORDER BY delivered_at, delivery_id), 'lead.delivered', delivery_id, delivered_at
   FROM delivery WHERE ${CONDITION[whose]}`,
  `INSERT INTO buyer_event_head (buyer_key, last_number) SELECT buyer_key, max(number) FROM buyer_event GROUP BY 1`,
];

/** One return for a hundred sales of the big partner; each in its own row, so that lists have claims to find. */
const CLAIMS = `
  INSERT INTO claim (claim_id, kind, buyer_key, delivery_id, supplier_key, event_type, reason, status, filed_at, decision_due_at,
                     decided_at, decision_note, decided_by, delivery_month, evidence)
  SELECT gen_random_uuid(), 'return', buyer_key, delivery_id, supplier_key, event_type, 'invalid_phone', 'denied', delivered_at,
         delivered_at, delivered_at, 'Denied.', 'bench', date_trunc('month', delivered_at AT TIME ZONE 'UTC')::date, 'null'
  FROM delivery WHERE buyer_key = '${BIG_PARTNER}' AND status = 'Confirmed' AND event_type = 'Lead Sale' AND ref_number % 1000 = 30`;

/** Inserts this many, the last of them now. Indexes of deliveries are created afterwards, as most of the time would go into them. */
export async function plantPartnerPast(
  engine: Engine,
  deliveries: number,
  now: Date,
  whose: Whose = 'big partner',
): Promise<void> {
  const { client } = engine;
  const second = new pg.Client(engine.connection);
  await second.connect();
  for (const one of [client, second]) {
    await prepareToFill(one);
  }
  const indexes = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'delivery' AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
  );
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`);
  await Promise.all([
    client.query(INSERT_DELIVERIES, [deliveries, now]),
    second.query(INSERT_LEADS, [deliveries, now]),
  ]);
  const half = Math.ceil(indexes.rows.length / 2);
  const build = async (on: pg.Client, some: typeof indexes.rows): Promise<void> => {
    for (const { definition } of some) await on.query(definition);
  };
  await Promise.all([build(client, indexes.rows.slice(0, half)), build(second, indexes.rows.slice(half))]);
  for (const text of [COUNTS, ...ledgerOf(whose), ...eventsOf(whose), CLAIMS]) await client.query(text);
  await Promise.all([client.query('VACUUM (ANALYZE) delivery'), second.query('VACUUM (ANALYZE) lead')]);
  for (const table of ['delivery_count', 'transfer', 'entry', 'account', 'buyer_event', 'claim']) {
    await client.query(`VACUUM (ANALYZE) ${table}`);
  }
  await client.query('CHECKPOINT');
  await second.end();
}

/** For rows that are right anyway: without triggers, and without waiting for the disk. */
export async function prepareToFill(client: pg.Client): Promise<void> {
  await client.query(
    `SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'; SET synchronous_commit = off; SET session_replication_role = replica`,
  );
}

/**
 * A market of this many partners that read the API; the big one may return a tenth of its leads and any number of bookings. `buyers` and
 * `marketplace`: further partners and settings, as YAML.
 */
export function partnersYaml({
  buyers = [],
  marketplace = [],
}: { readonly buyers?: readonly string[]; readonly marketplace?: readonly string[] } = {}): string {
  const wide = '{ perSecond: 1000000, burst: 1000000 }';
  const partners = Array.from({ length: PARTNERS }, (_, index) => {
    const policy = index === 0 ? ', returnPolicy: { monthlyCaps: { leads: "10%", bookings: 1000000 } }' : '';
    const offer = `{ key: buyer-${index}-all, name: All, eventType: Lead Sale, payout: 45.00, caps: { daily: 1000000, monthly: 1000000 } }`;
    return `  - { key: buyer-${index}, name: Buyer, timeZone: America/Los_Angeles, channels: [], rateLimit: ${wide}${policy}, offers: [${offer}] }`;
  });
  return [
    `marketplace: { ${['strategy: price', ...marketplace].join(', ')} }`,
    `suppliers: [{ key: bench, name: Bench, status: approved, rateLimit: ${wide} }]`,
    'partners:',
    ...partners,
    ...buyers,
  ].join('\n');
}
