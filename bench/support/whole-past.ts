// What else a year of deliveries leaves behind: attempts, decisions, search terms, proofs of consent, charges and events of all partners,
// hashes of sold contacts, and some data that has just expired.
import pg from 'pg';

import { DAYS, prepareToFill, idOf, plantPartnerPast, SERIES } from './partner-past.ts';
import type { Engine } from './service.ts';

/** As many rows of each kind have expired, however long the past is: what an hour or a day brings. */
export const EXPIRED = 20_000;
/** Days that the marketplace of the measurement keeps attempts and decisions, bodies, and answers of endpoints. */
export const KEPT = { attemptDays: DAYS + 30, rawBodyDays: 90, snippetDays: 30 } as const;
const PERSON_DAYS = 60;

const word = (what: string): string =>
  `translate(substr(md5('${what}' || n % 200000), 1, 7), '0123456789', 'ghijklmnop')`;

const MONTH_OF_DOCUMENT = `(date '2018-01-01' + n % 100 * interval '1 month')::date`;
/** In cents; hardly two are equal. */
const AMOUNT = '(1 + n * 7919 % 1000003)';

/** $1 deliveries up to $2; as `partner-past.ts` plants them. */
const TEXTS: ReadonlyArray<readonly [table: string, text: string]> = [
  [
    'delivery_search',
    `INSERT INTO delivery_search (delivery_id, buyer_key, name, name_from_last, email, phone)
     SELECT delivery_id, buyer_key, ${word('first')} || ' ' || ${word('last')}, ${word('last')} || ' ' || ${word('first')},
            'person.' || n || '@example.com', reverse('1555' || lpad((n % 10000000)::text, 7, '0'))
     FROM (SELECT delivery_id, buyer_key, ref_number - 1000000000 AS n FROM delivery) AS d WHERE $1::int > 0 AND $2::timestamptz IS NOT NULL`,
  ],
  [
    'attempt',
    `INSERT INTO attempt (attempt_id, delivery_id, buyer_key, channel, target, attempt, state, response_code, response_snippet, latency_ms, is_test, at)
     SELECT ${idOf('attempt')}, delivery_id, buyer_key, 'webhook', 'https://buyer.example.com/leads', 1, 'succeeded', 200,
            CASE WHEN at > $2::timestamptz - interval '${KEPT.snippetDays} days' THEN 'ok' END, 40, false, at
     FROM (SELECT delivery_id, buyer_key, delivered_at AS at, ref_number - 1000000000 AS n FROM delivery) AS d WHERE $1::int > 0`,
  ],
  [
    'routing_decision',
    `INSERT INTO routing_decision (lead_id, round, decided_at, config_version, outcome, trace)
     SELECT lead_id, 1, delivered_at, 1, 'routed',
            format('{"sold":[{"offer":"%s","delivery":"%s","payoutCents":4500}],"left":[["buyer-1-all","cap_daily",100,100]]}', offer_key, delivery_id)
     FROM delivery WHERE $1::int > 0 AND $2::timestamptz IS NOT NULL`,
  ],
  [
    'consent_record',
    `INSERT INTO consent_record (lead_id, stored_at, proof)
     SELECT ${idOf('lead')}, at, format('{"tcpaConsent":true,"consentVersion":"v7","consentTimestamp":"%s","sourceFormUrl":"https://forms.example.com/debt?utm_source=search","leadIp":"203.0.113.24","receivedFrom":"198.51.100.7","trustedformCertUrl":null,"jornayaLeadId":null}', at)
     FROM (${SERIES}) AS s`,
  ],
  [
    'person_sale',
    `INSERT INTO person_sale (person_hash, scope, delivery_id, sold_at, seen_at)
     SELECT ('x' || substr(md5('person ' || ref_number || kind), 1, 16))::bit(64)::bigint, '*', delivery_id, delivered_at, delivered_at
     FROM delivery, unnest(ARRAY['phone', 'email']) AS kind
     WHERE $1::int > 0 AND delivered_at > $2::timestamptz - interval '${PERSON_DAYS} days' ON CONFLICT DO NOTHING`,
  ],
  // A document of each kind for every tenth delivery: those of a hundred months.
  [
    'supplier_statement',
    `INSERT INTO supplier_statement (statement_id, supplier_key, number, period, time_zone, starts_at, ends_at, operator_name, supplier_name, currency,
                                     from_version, up_to_version, carried_cents, total_cents, leads, earned_cents, clawed_back_cents,
                                     paid_out_cents, adjusted_cents, held_cents, issued_at)
     SELECT ${idOf('statement')}, 'supplier-' || n / 100, 'ST-2026-' || lpad(n::text, 6, '0'), ${MONTH_OF_DOCUMENT}, 'UTC', at, at + interval '1 day',
            'Operator', 'Supplier ' || n / 100, 'USD', 1, 0, 0, ${AMOUNT}, n % 1000, ${AMOUNT}, 0, 0, 0, ${AMOUNT} / 3, at
     FROM (${SERIES}) AS s WHERE n <= $1 / 10`,
  ],
  [
    'invoice',
    `INSERT INTO invoice (invoice_id, buyer_key, period, time_zone, starts_at, ends_at, seller_name, buyer_name, currency, status, number,
                          subtotal_cents, total_cents, paid_cents, amount_due_cents, created_at, issued_at, due_at, paid_at)
     SELECT ${idOf('invoice')}, 'buyer-' || n / 100, ${MONTH_OF_DOCUMENT}, 'UTC', at, at + interval '1 day', 'Operator', 'Buyer', 'USD', 'paid',
            'INV-2026-' || lpad(n::text, 6, '0'), ${AMOUNT}, ${AMOUNT}, ${AMOUNT}, 0, at, at, at, at
     FROM (${SERIES}) AS s WHERE n <= $1 / 10`,
  ],
];

/** Bodies of the leads that are young enough to have one, and of those that have just become too old. */
const RAW_BODIES = `
  UPDATE lead SET raw_body = fields
  WHERE lead_id IN (SELECT ${idOf('lead')} FROM (${SERIES}) AS s
                    WHERE n > $1 - $1::bigint * ${KEPT.rawBodyDays} / ${DAYS} - ${EXPIRED} AND n <= $1 - $1::bigint * ${KEPT.rawBodyDays} / ${DAYS} + ${EXPIRED})`;

/** Where the walks of retention were an hour ago. */
const PROGRESS = [
  ['raw-bodies', 'lead', KEPT.rawBodyDays],
  ['snippets', 'attempt', KEPT.snippetDays],
] as const;

/** `deliveries` up to `now`, with everything that belongs to them. */
export async function plantWholePast(engine: Engine, deliveries: number, now: Date): Promise<void> {
  await plantPartnerPast(engine, deliveries, now, 'all');
  const clients = [engine.client, new pg.Client(engine.connection)];
  await clients[1]?.connect();
  for (const one of clients) await prepareToFill(one);
  const left = [...TEXTS];
  await Promise.all(
    clients.map(async (client) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [table, text] = next;
        await withoutIndexes(client, table, () => client.query(text, [deliveries, now]));
        await client.query(`VACUUM (ANALYZE) ${table}`);
      }
    }),
  );
  await plantExpired(engine, deliveries, now);
  await clients[1]?.end();
}

async function plantExpired({ client }: Engine, deliveries: number, now: Date): Promise<void> {
  await client.query(RAW_BODIES, [deliveries, now]);
  await client.query(
    `UPDATE attempt SET response_snippet = 'ok' WHERE attempt_id IN (
       SELECT attempt_id FROM attempt WHERE attempt_id < $1 ORDER BY attempt_id DESC LIMIT ${EXPIRED})`,
    [firstId(now, KEPT.snippetDays)],
  );
  for (const [step, table, days] of PROGRESS) {
    await client.query(
      `INSERT INTO retention_progress (step, last_id)
       SELECT '${step}', ${table}_id FROM ${table} WHERE ${table}_id < $1 ORDER BY ${table}_id DESC OFFSET ${EXPIRED} LIMIT 1
       ON CONFLICT (step) DO UPDATE SET last_id = excluded.last_id`,
      [firstId(now, days)],
    );
  }
  const old = `SELECT n, $2::timestamptz - interval '${KEPT.attemptDays + 5} days' + n * interval '1 second' AS at FROM generate_series(1, $1::int) AS n`;
  await client.query(
    `INSERT INTO attempt (attempt_id, delivery_id, buyer_key, channel, target, attempt, state, response_code, latency_ms, is_test, at)
     SELECT ${idOf('old')}, ${idOf('old')}, 'buyer-1', 'webhook', 'https://buyer.example.com/leads', 1, 'succeeded', 200, 40, false, at FROM (${old}) AS s`,
    [EXPIRED, now],
  );
  await client.query(
    `INSERT INTO routing_decision (lead_id, round, decided_at, config_version, outcome, trace)
     SELECT ${idOf('old')}, 1, at, 1, 'rejected', '{"sold":[],"left":[["buyer-1-all","cap_daily",100,100]]}' FROM (${old}) AS s`,
    [EXPIRED, now],
  );
  await client.query('CHECKPOINT');
}

/** Writing a row into an index costs many times what building the index over it costs. */
async function withoutIndexes(client: pg.Client, table: string, fill: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = $1 AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
    [table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await fill();
  for (const { definition } of rows) await client.query(definition);
}

/** The least id of that age. */
function firstId(now: Date, days: number): string {
  const time = (now.getTime() - days * 86_400_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
