// The second wall: behind it a partner's request sees and writes this partner's rows only, whatever the query forgot (decision 017).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../src/platform/clock.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase, type Statement, statement } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { behindWall, forTenant, readWall, requireWall } from '../../src/platform/database/tenant.ts';
import { examine } from '../../src/platform/doctor.ts';
import { OutsideError } from '../../src/platform/outside-error.ts';
import { foldSome } from '../../src/reports/fold-reports.ts';
import { getAsBuyer, postAsBuyer, postLead } from '../support/api-client.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Env } from '../support/server-process.ts';
import { giveToPlainRole } from '../support/plain-role.ts';
import { onServer } from '../support/server.ts';
import { privacyYaml } from './privacy-market.ts';

/** Partners' tables that the wall does not stand before, each with the reason. */
const IN_FRONT: Readonly<Record<string, string>> = {};

/** What the role may read that is nobody's own. */
const SHARED: Readonly<Record<string, string>> = {
  marketplace: 'the settings, which hold for all',
  report_progress: 'whose days reports have, and how far they are folded',
};

/** Rows of the table, by the condition that says whose they are: $1 is the partner's key. */
const OWNED: Readonly<Record<string, string>> = {
  entry: `account_key = 'buyer:' || $1`,
  transfer: `'buyer:' || $1 IN (from_account, to_account)`,
  person_sale: 'EXISTS (SELECT FROM delivery d WHERE d.delivery_id = t.delivery_id AND d.buyer_key = $1)',
  invoice_line: 'EXISTS (SELECT FROM invoice i WHERE i.invoice_id = t.invoice_id AND i.buyer_key = $1)',
  invoice_item: 'EXISTS (SELECT FROM invoice i WHERE i.invoice_id = t.invoice_id AND i.buyer_key = $1)',
  lead: 'EXISTS (SELECT FROM delivery d WHERE d.lead_id = t.lead_id AND d.buyer_key = $1)',
  cap_counter: 'EXISTS (SELECT FROM offer o WHERE o.offer_key = t.offer_key AND o.buyer_key = $1)',
  config_history: `kind = 'buyer' AND key = $1 OR kind = 'offer' AND EXISTS (SELECT FROM offer o WHERE o.offer_key = t.key AND o.buyer_key = $1)`,
  credential: `kind = 'buyer_token' AND owner_key = $1`,
  idempotency_key: `EXISTS (SELECT FROM credential c WHERE c.credential_id = t.credential_id AND c.kind = 'buyer_token' AND c.owner_key = $1)
    OR EXISTS (SELECT FROM portal_user u WHERE u.user_id = t.credential_id AND u.kind = 'buyer' AND u.owner_key = $1)`,
  portal_user: `kind = 'buyer' AND owner_key = $1`,
  signing_secret: `owner_kind = 'buyer' AND owner_key = $1`,
  message_job: `owner_kind = 'buyer' AND owner_key = $1`,
  endpoint_health: `owner_kind = 'buyer' AND owner_key = $1`,
  endpoint_outage: `owner_kind = 'buyer' AND owner_key = $1`,
  report_fact: 'partner = $1',
  report_cell: 'partner = $1',
  notice: `recipient_kind = 'buyer' AND recipient_key = $1`,
  notice_send: `recipient_kind = 'buyer' AND recipient_key = $1`,
  notice_channel: `EXISTS (SELECT FROM notice n WHERE n.notice_id = t.notice_id AND n.recipient_kind = 'buyer' AND n.recipient_key = $1)`,
  notice_setting: `owner_kind = 'buyer' AND owner_key = $1`,
  list_load: 'EXISTS (SELECT FROM list l WHERE l.list_id = t.list_id AND l.buyer_key = $1)',
  list_entry:
    'EXISTS (SELECT FROM list_load d JOIN list l USING (list_id) WHERE d.load_id = t.load_id AND l.buyer_key = $1)',
};

let receiver: Receiver;
let market: TestMarketplace;
let database: Database;
let walled: string[];
/** Of operators and suppliers: no row is any partner's. */
let closed: string[];
let readable: string[];

beforeAll(async () => {
  receiver = await startReceiver();
  market = await startTestMarketplace({ yaml: privacyYaml(receiver.origin), allowTargets: [receiver.origin] });
  ({ database } = market);
  const secured = await select<{ name: string; isClosed: boolean }>(
    database,
    `SELECT relname AS name, EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'service_only') AS "isClosed"
     FROM pg_class c WHERE relnamespace = current_schema()::regnamespace AND relrowsecurity ORDER BY 1`,
  );
  walled = secured.filter(({ isClosed }) => !isClosed).map(({ name }) => name);
  closed = secured.filter(({ isClosed }) => isClosed).map(({ name }) => name);
  readable = (
    await select<{ name: string }>(
      database,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
         AND has_any_column_privilege('leadmarket_buyer', oid, 'SELECT') ORDER BY 1`,
    )
  ).map(({ name }) => name);
  await fill();
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

/** Both partners have sold leads, claims, kept answers, and everything that comes with them. */
async function fill(): Promise<void> {
  const key = await market.supplierKey('acme-media');
  for (const [index, state] of ['CA', 'NY', 'CA', 'NY'].entries()) {
    const phone = `+1202555${1000 + index}`;
    const { status } = await postLead(market.url, key, { full_name: `For ${state}`, phone, state });
    if (status !== 202) throw new Error(`a lead was answered ${status}`);
  }
  await eventually('all are delivered', async () => (await ledgerFaults(database)).length === 0);
  for (const partner of ['summit', 'harbor']) {
    const token = await market.buyerToken(partner);
    const { json } = await getAsBuyer(market.url, token, '/api/v1/buyer/leads');
    const response = await postAsBuyer(market.url, token, '/api/v1/buyer/returns', {
      body: { deliveryId: String(json.data[0].deliveryId), reason: 'bot' },
      headers: { 'idempotency-key': 'same-for-both' },
    });
    if (response.status !== 201) throw new Error(response.text);
  }
  const parts = { changes: 1000, rows: 1000, facts: 1 };
  while (await database.tx((tx) => foldSome(tx, new Date(), parts)));
  // Rows that this short life has not made.
  const at = new Date();
  for (const [index, partner] of ['summit', 'harbor'].entries()) {
    const run = (text: string, ...values: unknown[]): Promise<unknown> => select(database, text, values);
    await run(
      `INSERT INTO send_job (delivery_id, channel, buyer_key, due_at, purpose)
       SELECT delivery_id, 'webhook', buyer_key, '2999-01-01', 'replay' FROM delivery WHERE buyer_key = $1 LIMIT 1`,
      partner,
    );
    await run(
      `INSERT INTO attempt (attempt_id, buyer_key, channel, target, attempt, state, is_test, at)
       VALUES (gen_random_uuid(), $1, 'webhook', 'x', 1, 'failed', true, $2)`,
      partner,
      at,
    );
    await run(
      `INSERT INTO endpoint_health VALUES ('buyer', $1, 'email', 1, NULL, NULL, 'x', $2) ON CONFLICT DO NOTHING`,
      partner,
      at,
    );
    await run(`INSERT INTO endpoint_outage VALUES ('buyer', $1, 'email', $2, $2)`, partner, at);
    await run(
      `INSERT INTO message_job (message_id, owner_kind, owner_key, channel, type, data, occurred_at, due_at)
       VALUES (gen_random_uuid(), 'buyer', $1, 'webhook', 'x', '{}', $2, '2999-01-01')`,
      partner,
      at,
    );
    await run(
      `INSERT INTO signing_secret VALUES ('buyer', $1, 'x', NULL, NULL, $2) ON CONFLICT DO NOTHING`,
      partner,
      at,
    );
    await run(
      `INSERT INTO partner_secret VALUES ($1, 'crm_token', 'k1', '\\x00', $2, $2) ON CONFLICT DO NOTHING`,
      partner,
      at,
    );
    await run(
      `INSERT INTO cap_counter SELECT offer_key, 'daily', $2, 1, 1 FROM offer WHERE buyer_key = $1`,
      partner,
      at,
    );
    await fillNotices(partner, at);
    await run(
      `WITH made AS (
         INSERT INTO list (list_id, buyer_key, key, name, kind, use, partners, created_at)
         VALUES (gen_random_uuid(), $1, 'own', 'Own', 'phone', 'exclude', ARRAY[$1], $2) RETURNING list_id
       ), loaded AS (
         INSERT INTO list_load (list_id, state, mode, hashed, skip_invalid, begun_at, begun_by, touched_at)
         SELECT list_id, 'current', 'add', false, false, $2, $1, $2 FROM made RETURNING load_id
       ) INSERT INTO list_entry SELECT 1, load_id, NULL FROM loaded`,
      partner,
      at,
    );
    await run(
      `WITH added AS (
         INSERT INTO portal_user (user_id, kind, owner_key, email, name, roles, password, created_at)
         VALUES (gen_random_uuid(), 'buyer', $1, $1 || '@example.com', 'A', '{view}', '$argon2id$x', $2) RETURNING user_id
       ) INSERT INTO idempotency_key SELECT user_id, 'of-user', 'POST', '/portal/x', '\\x00', 200, 'x', '', $2 FROM added`,
      partner,
      at,
    );
    await run(
      `INSERT INTO claim_file (file_id, claim_id, buyer_key, delivery_id, number, name, type, size_bytes, sha256, content, added_at)
       SELECT gen_random_uuid(), claim_id, buyer_key, delivery_id, 1, 'a.txt', 'text/plain', 1, '\\x00', 'a', $2
       FROM claim WHERE buyer_key = $1 LIMIT 1`,
      partner,
      at,
    );
    await run(`INSERT INTO invoice_progress VALUES ($1, 0) ON CONFLICT DO NOTHING`, partner);
    await run(
      `WITH made AS (
         INSERT INTO invoice (invoice_id, buyer_key, period, time_zone, starts_at, ends_at, seller_name, buyer_name, currency, status, created_at)
         VALUES (gen_random_uuid(), $1, '2026-01-01', 'UTC', '2026-01-01', '2026-02-01', 's', 'b', 'USD', 'draft', $2) RETURNING invoice_id
       ) INSERT INTO invoice_item SELECT invoice_id, 1, 'x', 1, 1 FROM made`,
      partner,
      at,
    );
    await run(`INSERT INTO receipt_progress VALUES ($1, 1) ON CONFLICT DO NOTHING`, partner);
    await run(
      `INSERT INTO receipt VALUES (gen_random_uuid(), $1, 'RCP-2026-00000' || $3::int, gen_random_uuid(), 100, 'x', $2, 'UTC', 'USD',
                                   's', '{}', 'b', '{}', $2)`,
      partner,
      at,
      index + 1,
    );
    await run(
      `INSERT INTO invoice_line (invoice_id, transfer_id, type, account_version, amount_cents)
       SELECT i.invoice_id, t.transfer_id, 'charge', $2, t.amount_cents FROM invoice i, transfer t
       WHERE i.buyer_key = $1 AND t.from_account = 'buyer:' || $1 LIMIT 1`,
      partner,
      index,
    );
  }
}

async function fillNotices(partner: string, at: Date): Promise<void> {
  await select(
    database,
    `WITH raised AS (
       INSERT INTO notice (notice_id, kind, recipient_kind, recipient_key, occurrence, data, raised_at, state)
       VALUES (gen_random_uuid(), 'test', 'buyer', $1, 'x', '{}', $2, 'planned') RETURNING notice_id
     ), send AS (
       INSERT INTO notice_send (send_id, recipient_kind, recipient_key, channel, is_digest, due_at)
       VALUES (gen_random_uuid(), 'buyer', $1, 'chat', false, '2999-01-01') RETURNING send_id
     ), setting AS (INSERT INTO notice_setting VALUES ('buyer', $1, '{}', $2))
     INSERT INTO notice_channel SELECT notice_id, 'chat', send_id FROM raised, send`,
    [partner, at],
  );
}

/** By `$1`, `$2`, … as `$p1`, `$p2`, …. */
type Values = Readonly<Record<string, unknown>>;
const numbers = new Map<string, number>();
/** Runs a statement that only this test needs, and that no code may contain. */
function runOn<Row>(on: Pick<Database, 'query'>, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  const sql: Statement<Values, Row> = statement(`test.wall_${number}`, text.replaceAll(/\$(\d)/g, '$p$1'));
  return on.query(sql, Object.fromEntries(values.map((value, index) => [`p${index + 1}`, value])));
}

const ask = <Row>(tenant: string | null, text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  database.tx((tx) => runOn<Row>(tx, text, values), { tenant });
const countAs = async (tenant: string | null, text: string, values: readonly unknown[] = []): Promise<number> =>
  (await ask<{ n: number }>(tenant, `SELECT count(*)::int AS n FROM ${text}`, values))[0]?.n ?? -1;
const count = async (text: string, values: readonly unknown[] = []): Promise<number> =>
  (await select<{ n: number }>(database, `SELECT count(*)::int AS n FROM ${text}`, values))[0]?.n ?? -1;
const ownedBy = (table: string): string => `${table} AS t WHERE ${OWNED[table] ?? 'buyer_key = $1'}`;

describe('Every table', () => {
  it('of partners has row-level security, also for its owner, or a stated reason for none', async () => {
    const partners = await select<{ name: string }>(
      database,
      `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attname = 'buyer_key' AND NOT a.attisdropped
         AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
    );
    expect(partners.map(({ name }) => name)).toEqual(Object.keys(IN_FRONT));
    expect(readable.filter((name) => !walled.includes(name))).toEqual(Object.keys(SHARED));
    expect(
      await select(database, `SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relforcerowsecurity`),
    ).toEqual([]);
  });

  it('with row-level security has rows of both partners in this test', async () => {
    for (const table of walled) {
      for (const partner of ['summit', 'harbor']) {
        expect([table, partner, await count(ownedBy(table), [partner])]).not.toEqual([table, partner, 0]);
      }
    }
  });
});

describe('With row-level security', () => {
  it('a connection without a tenant sees no rows', async () => {
    for (const table of readable.filter((name) => walled.includes(name))) {
      const seen = await countAs(
        null,
        table === 'config_history' ? `config_history WHERE kind <> 'marketplace'` : table,
      );
      expect([table, seen]).toEqual([table, 0]);
    }
  });

  it('a partner sees all of its own rows and none of another’s, without a condition in the query', async () => {
    for (const table of readable.filter((name) => walled.includes(name))) {
      const own = await count(ownedBy(table), ['summit']);
      const seen = await countAs(
        'summit',
        table === 'config_history' ? `config_history WHERE kind <> 'marketplace'` : table,
      );
      expect([table, seen]).toEqual([table, own]);
      expect(own).toBeGreaterThan(0);
    }
  });

  it('tables of operators and suppliers are closed to partners: no right, and no row would be visible', async () => {
    expect(closed).toContain('supplier_statement');
    const open = await select(
      database,
      `SELECT c.relname, p.polname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid
       WHERE c.relname = ANY ($1::text[]) AND c.relnamespace = current_schema()::regnamespace
         AND (pg_get_expr(p.polqual, p.polrelid) <> '( SELECT is_service() AS is_service)' OR p.polwithcheck IS NOT NULL
              OR has_any_column_privilege('leadmarket_buyer', c.oid, 'SELECT, INSERT, UPDATE') OR has_table_privilege('leadmarket_buyer', c.oid, 'DELETE'))`,
      [closed],
    );
    expect(open).toEqual([]);
  });

  it('a partner cannot change, delete or insert another’s rows', async () => {
    for (const table of walled) {
      const [row] = await select<{ row: object }>(
        database,
        `SELECT to_jsonb(t) AS row FROM ${ownedBy(table)} LIMIT 1`,
        ['harbor'],
      );
      const made = ask('summit', `INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1)`, [
        row?.row,
      ]);
      // 428C9 is said of invoices, one of whose columns is computed: before rights are looked at.
      await expect(made, table).rejects.toMatchObject({ code: expect.stringMatching(/^(?:42501|428C9)$/) as string });
      const before = await select(
        database,
        `SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${ownedBy(table)}`,
        ['harbor'],
      );
      for (const change of [`DELETE FROM ${table}`, ...(await updatesOf(table))]) {
        await ask('summit', `WITH c AS (${change} RETURNING 1) SELECT count(*) FROM c`).catch((error: unknown) => {
          expect([table, change, (error as { code?: string }).code]).toEqual([table, change, '42501']);
        });
      }
      expect(
        await select(database, `SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${ownedBy(table)}`, [
          'harbor',
        ]),
      ).toEqual(before);
    }
  });

  it.each(['transfer', 'entry', 'account', 'audit_event', 'invoice', 'invoice_line', 'invoice_item', 'credential'])(
    '%s cannot be changed at all',
    async (table) => {
      const rights = ['UPDATE', 'DELETE', 'TRUNCATE'].map(
        (right) => `has_table_privilege('leadmarket_buyer', '${table}', '${right}')`,
      );
      expect(
        await select(
          database,
          `SELECT ${rights.join(' OR ')} OR has_any_column_privilege('leadmarket_buyer', '${table}', 'UPDATE') AS may`,
        ),
      ).toEqual([{ may: false }]);
    },
  );

  it.each([
    'consent_record',
    'dead_job',
    'kept_mail',
    'message_job',
    'notice_watch',
    'operator',
    'supplier',
    'routing_inbox',
    'routing_decision',
    'session',
    'sign_in_guard',
  ])('%s is not there', async (table) => {
    await expect(ask('summit', `SELECT FROM ${table}`)).rejects.toMatchObject({ code: '42501' });
  });

  it('no cost and no source of a lead can be read in reports', async () => {
    for (const column of ['cost_cents', 'supplier', 'source', 'campaign', 'score_band', 'submitted']) {
      await expect(ask('summit', `SELECT ${column} FROM report_fact`)).rejects.toMatchObject({ code: '42501' });
      await expect(ask('summit', `SELECT ${column} FROM report_cell`)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('neither a body as received nor the hash of a credential can be read', async () => {
    await expect(ask('summit', 'SELECT raw_body FROM lead')).rejects.toMatchObject({ code: '42501' });
    await expect(ask('summit', 'SELECT secret_hash FROM credential')).rejects.toMatchObject({ code: '42501' });
  });

  it('the tenant’s role cannot log in, owns nothing and bypasses no policy', async () => {
    expect(
      await select(
        database,
        `SELECT rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
                EXISTS (SELECT FROM pg_class WHERE relowner = r.oid) AS owns
         FROM pg_roles r WHERE rolname = 'leadmarket_buyer'`,
      ),
    ).toEqual([
      {
        rolcanlogin: false,
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        owns: false,
      },
    ]);
  });
});

/** One for each column that may be updated. */
async function updatesOf(table: string): Promise<string[]> {
  const columns = await select<{ name: string }>(
    database,
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
       AND has_column_privilege('leadmarket_buyer', attrelid, attnum, 'UPDATE')`,
    [table],
  );
  return columns.map(({ name }) => `UPDATE ${table} SET ${name} = ${name}`);
}

describe('A route', () => {
  const forgetful = 'SELECT DISTINCT buyer_key AS "buyerKey" FROM delivery';
  const wall = { stands: true };

  it('that forgets its condition finds its own partner’s rows, and none without a partner', async () => {
    const walledDatabase = behindWall(database, wall);
    const read = () => runOn(walledDatabase, forgetful);
    expect(await forTenant('summit', read)).toEqual([{ buyerKey: 'summit' }]);
    expect(await read()).toEqual([]);
    expect(await runOn(database, `${forgetful} ORDER BY 1`)).toEqual([{ buyerKey: 'harbor' }, { buyerKey: 'summit' }]);
  });

  it('keeps its own tenant while requests of others are served', async () => {
    const walledDatabase = behindWall(database, wall);
    const read = async (partner: string): Promise<unknown> =>
      forTenant(partner, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return walledDatabase.tx(
          async (tx) => {
            await runOn(tx, 'SELECT 1');
            return runOn(tx, forgetful);
          },
          { snapshot: partner === 'summit' },
        );
      });
    const partners = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 'summit' : 'harbor'));
    expect(await Promise.all(partners.map(read))).toEqual(partners.map((buyerKey) => [{ buyerKey }]));
  });

  it('leaves no tenant and no role on its connection, also when it fails', async () => {
    await database.tx((tx) => runOn(tx, 'SELECT 1'), { tenant: 'summit' });
    await expect(database.tx((tx) => runOn(tx, 'SELECT 1 / 0'), { tenant: 'summit' })).rejects.toThrow(
      'division by zero',
    );
    const seen = await Promise.all(
      Array.from({ length: 20 }, () =>
        runOn(
          database,
          `SELECT current_user = session_user AS own, coalesce(current_setting('app.buyer', true), '') AS tenant`,
        ),
      ),
    );
    expect(seen.flat()).toEqual(Array.from({ length: 20 }, () => ({ own: true, tenant: '' })));
  });

  it('rejects a tenant that is not a key', async () => {
    await expect(ask(`summit'; RESET ROLE; --`, 'SELECT 1')).rejects.toThrow('key of a partner');
  });
});

describe('A service whose role may not create roles', () => {
  const ALLOWED = { ALLOW_MISSING_TENANT_WALL: 'true' };
  let plain: TestDatabase;
  let own: Database;
  let url: string;
  const role = `lm_plain_${process.pid}`;

  beforeAll(async () => {
    plain = await createTestDatabase();
    url = await giveToPlainRole(plain, role);
    own = openDatabase({ connection: { connectionString: url } });
  });
  afterAll(async () => {
    await own.close();
    await plain.drop();
    await onServer(market.testDatabase.url, (client) => client.query(`DROP ROLE ${role}`));
  });

  const finding = async (env: Env = {}): Promise<unknown> => {
    const outcome = loadConfig(env);
    if (!outcome.ok) throw new Error(outcome.faults.join());
    const findings = await examine(own, { config: outcome.config, clock: systemClock });
    return findings.find(({ name }) => name === 'second wall');
  };

  it('migrates and works without row-level security, and doctor says how to get it', async () => {
    await migrate(own, new Date());
    expect(await readWall(own)).toEqual({ stands: false });
    expect(behindWall(own, await readWall(own))).toBe(own);
    expect(await finding()).toMatchObject({ ok: false, detail: expect.stringContaining('ops/roles.sql') as string });
    expect(await finding(ALLOWED)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/ALLOW_MISSING_TENANT_WALL says.*ops\/roles\.sql/) as string,
    });
  });

  it('serves partners without row-level security only if configured to', async () => {
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
    await expect(requireWall(own, { allowMissingWall: false, log })).rejects.toMatchObject({
      name: OutsideError.name,
      retryable: false,
      message: expect.stringMatching(/ops\/roles\.sql.*ALLOW_MISSING_TENANT_WALL=true/) as string,
    });
    expect(logged).toEqual([]);
    expect(await requireWall(own, { allowMissingWall: true, log })).toEqual({ stands: false });
    expect(logged.join()).toContain('without the second wall');
  });

  it('has row-level security after ops/roles.sql was run, and is not restricted by it itself', async () => {
    const text = await readFile(join(import.meta.dirname, '../../ops/roles.sql'), 'utf8');
    // What psql does with the file: the role is there, and the variable is the service's.
    const statements = text
      .replaceAll(/^--.*$/gm, '')
      .replace(/SELECT 'CREATE ROLE[\s\S]*?\\gexec/, '')
      .replaceAll(':"service"', role);
    await onServer(plain.url, (client) => client.query(statements));
    expect(await readWall(own)).toEqual({ stands: true });
    expect(await finding()).toMatchObject({ ok: true });
    const at = new Date();
    for (const partner of ['a', 'b']) {
      await runOn(own, `INSERT INTO buyer_event_head VALUES ($1, 1)`, [partner]);
      await runOn(own, `INSERT INTO buyer_event VALUES ($1, 1, 'lead.delivered', gen_random_uuid(), $2)`, [
        partner,
        at,
      ]);
    }
    const events = 'SELECT buyer_key AS "buyerKey" FROM buyer_event ORDER BY 1';
    expect(await runOn(own, events)).toEqual([{ buyerKey: 'a' }, { buyerKey: 'b' }]);
    expect(await own.tx((tx) => runOn(tx, events), { tenant: 'b' })).toEqual([{ buyerKey: 'b' }]);
    expect(await own.tx((tx) => runOn(tx, events), { tenant: null })).toEqual([]);
  });
});
