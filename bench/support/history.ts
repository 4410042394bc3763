// Creates leads sold three days ago, with two contacts each, for searches in the sales of a month.
import type { Engine } from './service.ts';

/**
 * Inserts this many. The indexes are created afterwards, as otherwise most of the time goes into them. A lead is inserted without its
 * received body: nothing reads those of old leads, and they would be most of the bytes.
 */
export async function plantHistory({ client }: Engine, leads: number): Promise<void> {
  const { rows } = await client.query<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes WHERE indexname = 'person_sale_of_delivery'`,
  );
  await client.query('DROP INDEX person_sale_of_delivery');
  await client.query('ALTER TABLE person_sale DROP CONSTRAINT person_sale_pkey');
  await client.query(
    `INSERT INTO person_sale (person_hash, scope, delivery_id, sold_at, seen_at)
     SELECT ('x' || substr(md5('person ' || g), 1, 16))::bit(64)::bigint, '*',
            ('01900000-0000-7000-8000-' || lpad(to_hex(g / 2), 12, '0'))::uuid, now() - interval '3 days', now() - interval '3 days'
     FROM generate_series(1, $1::int) g`,
    [2 * leads],
  );
  await client.query('ALTER TABLE person_sale ADD CONSTRAINT person_sale_pkey PRIMARY KEY (person_hash, scope)');
  for (const { definition } of rows) await client.query(definition);
  await client.query(
    `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, score_factors, received_at,
                       decided_at, content_hash, fields)
     SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(g), 12, '0'))::uuid, 'bench', false, true, 'routed', 'Lead Sale', 50, '[]',
            now() - interval '3 days', now() - interval '3 days', '\\x00'::bytea, '{}'
     FROM generate_series(1, $1::int) g`,
    [leads],
  );
  for (const table of ['lead', 'person_sale']) await client.query(`VACUUM (ANALYZE) ${table}`);
  await client.query('CHECKPOINT');
}
