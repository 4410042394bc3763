import { test } from 'vitest';
import { select } from '../support/books.ts';
import { startSupplierMarket } from './supplier-market.ts';

test('plans', async () => {
  const house = await startSupplierMarket();
  const { database } = house.market;
  await database.pool.query(`INSERT INTO lead (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, reason, received_at, score, content_hash, fields, raw_body)
    SELECT ('0197' || lpad(to_hex(n), 4, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, (ARRAY['acme-media','rival','rival','rival','rival'])[1 + n % 5], 'e' || n, false, n % 50 <> 0,
     CASE WHEN n % 50 = 0 THEN 'rejected' ELSE 'routed' END, CASE WHEN n % 50 = 0 THEN 'Invalid' WHEN n % 7 = 0 THEN 'No Buyer' ELSE 'Lead Sale' END, CASE WHEN n % 50 = 0 THEN 'phone invalid' END, now(),
     CASE WHEN n % 50 <> 0 THEN 50 END, CASE WHEN n % 50 <> 0 THEN decode(repeat('00', 32), 'hex') END, '{"phone":null,"extra":{}}', repeat('x', 300)
    FROM generate_series(1, 1000000) AS n`);
  const { walkAll, walkRefused, findByExternalId } = await import('../../src/leads/submission.sql.ts');
  const { lackingByField } = await import('../../src/reports/supplier-overview.sql.ts');
  const explain = async (s: any, values: string) => { await database.pool.query(`PREPARE p${s.name.replaceAll('.', '_')} AS ${s.text}`).catch((e) => console.log(e.message)); };
  const client = await database.pool.connect();
  await client.query('ANALYZE lead');
  await client.query(`SET plan_cache_mode = force_generic_plan`);
  for (const [s, values] of [[walkAll, `'acme-media','ffffffff-ffff-ffff-ffff-ffffffffffff',5000,50,'{Pending}',NULL`], [walkRefused, `'acme-media','ffffffff-ffff-ffff-ffff-ffffffffffff',5000,50,'{Invalid}','name required'`], [findByExternalId, `'acme-media','e50',50`], [lackingByField, `'acme-media',1000`]] as const) {
    const types = { 'leads.walk_all': '(text,uuid,int,int,text[],text)', 'leads.walk_refused': '(text,uuid,int,int,text[],text)', 'leads.find_by_external_id': '(text,text,int)', 'reports.supplier_lacking_by_field': '(text,int)' }[(s as any).name as string];
    await client.query(`PREPARE q${types} AS ${(s as any).text}`);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE q(${values})`);
    console.log((s as any).name, rows.map((r: any) => r['QUERY PLAN']).filter((l: string) => /Scan|Execution/.test(l)).join('\n'));
    await client.query('DEALLOCATE q');
  }
  client.release();
  const acme = await house.market.signedIn.supplier('acme-media');
  for (const q of ['', '?state=no_buyer', '?state=pending', '?state=invalid&reason=name%20required', '?search=e50']) { await acme.get(`/portal/api/supplier/submissions${q}`); const t = performance.now(); const { json } = await acme.get(`/portal/api/supplier/submissions${q}`); console.log(q, json.data.length, (performance.now() - t).toFixed(1), 'ms'); }
  const t = performance.now(); await acme.get('/portal/api/supplier/overview?days=365'); console.log('overview', performance.now() - t);
  await house.close();
}, 300_000);
