// The statements of the life of leads in batches, to measure what the log of reports adds to them.
import type { Engine } from './service.ts';
import { sized } from './size.ts';

const BATCH = sized(64, 8);
const BATCHES = sized(150, 3);

const LIFE = [
  `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, received_at, content_hash, fields)
   SELECT md5($1 || n::text)::uuid, 'bench', false, true, 'received', 'Pending', 70, now(), '\\x00',
          format('{"fullName":"Jane Doe","email":"jane.%s@example.com","phone":"+15551234567","state":"CA","source":"web","utmCampaign":"c-%s","extra":{}}', n, n % 30)
   FROM generate_series(1, ${BATCH}) AS n`,
  `UPDATE lead SET state = 'routed', public_status = 'Lead Sale', decided_at = now()
   WHERE lead_id IN (SELECT md5($1 || n::text)::uuid FROM generate_series(1, ${BATCH}) AS n)`,
  `INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status, payout_cents, channel,
                         cap_windows, delivered_at)
   SELECT md5($1 || n::text)::uuid, 'buyer-' || n % 4, md5($1 || n::text)::uuid, 'offer-' || n % 8, 'bench', 'Lead Sale', true, 'Pending',
          4500, 'webhook', '[]', now() FROM generate_series(1, ${BATCH}) AS n`,
  `UPDATE delivery SET status = 'Confirmed', confirmed_at = now()
   WHERE delivery_id IN (SELECT md5($1 || n::text)::uuid FROM generate_series(1, ${BATCH}) AS n)`,
];

/** Runs the life of some thousand leads; returns how many. `mark`: differs for each call. */
export async function liveThrough({ client }: Engine, mark: string): Promise<number> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await client.query('BEGIN');
    for (const text of LIFE) await client.query(text, [`${mark}-${batch}-`]);
    await client.query('COMMIT');
  }
  return BATCH * BATCHES;
}

const TABLES = ['lead', 'delivery'];

export async function switchLog({ client }: Engine, isOn: boolean): Promise<void> {
  await client.query('SET session_replication_role = origin');
  for (const table of TABLES) {
    const word = table === 'lead' ? 'lead' : 'delivery';
    for (const trigger of [`${word}_added_to_reports`, `${word}_changed_in_reports`]) {
      await client.query(`ALTER TABLE ${table} ${isOn ? 'ENABLE' : 'DISABLE'} TRIGGER ${trigger}`);
    }
  }
}
