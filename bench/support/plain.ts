// Starts the plain program of bench/plain on a database of its own, in the PostgreSQL that the service uses, with the same market.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';

import { PARTNERS } from './market.ts';
import { startProgram } from './processes.ts';
import type { Engine, Service } from './service.ts';

export type PlainService = Service & {
  /** Waits until every job is done, at most so long; false where some were not. */
  readonly untilDone: (seconds: number) => Promise<boolean>;
};

export const PLAIN_NOTE =
  'The plain program (`bench/plain`) is the same path written plainly: Fastify with a schema, `pg`, the queue library `pg-boss`, a job and a transaction for every lead and every delivery, signatures by `standardwebhooks`. It uses the same PostgreSQL with the same settings and is tuned (prepared statements, jobs fetched ten at a time, NOTIFY, short locks), but does less per lead: no proof of consent, trace, log of attempts, statistics or events.';

const DATABASE = 'plain';
const FOLDER = join(import.meta.dirname, '../plain');
const KEY = 'the-key-of-the-bench-supplier';
const UNFINISHED = `SELECT EXISTS (SELECT FROM pgboss.job WHERE name IN ('route-lead', 'send-delivery') AND state < 'active')
                        OR EXISTS (SELECT FROM pgboss.job WHERE name IN ('route-lead', 'send-delivery') AND state = 'active') AS unfinished`;
const LOOK_MS = 500;

const MARKET = `
  INSERT INTO supplier (supplier_key, api_key_hash) VALUES ('bench', $1);`;
const BUYERS = `
  WITH new AS (
    INSERT INTO buyer (buyer_key, webhook_url, signing_secret)
    SELECT 'buyer-' || n, $1 || '/buyer-' || n, 'whsec_' || encode(sha256(n::text::bytea), 'base64') FROM generate_series(0, $2 - 1) AS n
    RETURNING buyer_key
  ), offers AS (
    INSERT INTO offer (offer_key, buyer_key, price_cents, daily_cap, states, debt_min_cents, debt_max_cents)
    SELECT buyer_key || '-all', buyer_key, 4500, 1000000, '{CA,OR,WA}', 1000000, 9000000 FROM new
  )
  INSERT INTO account (account_key) SELECT kind || ':' || buyer_key FROM new, unnest('{buyer,revenue}'::text[]) AS kind`;

export async function startPlain(
  { client, connection }: Engine,
  role: 'all' | 'api',
  webhookOrigin: string | null,
): Promise<PlainService> {
  await client.query(`CREATE DATABASE ${DATABASE}`);
  const own = new pg.Client({ ...connection, database: DATABASE });
  await own.connect();
  await own.query(readFileSync(join(FOLDER, 'schema.sql'), 'utf8'));
  await own.query(MARKET, [hash('sha256', KEY, 'buffer')]);
  await own.query(BUYERS, [webhookOrigin ?? '', PARTNERS]);
  const program = startProgram(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(FOLDER, 'main.ts'), '--role', role],
    { PGHOST: connection.host, PGPORT: String(connection.port), PGUSER: connection.user, PGDATABASE: DATABASE },
  );
  const { port } = JSON.parse(await program.line(/^\{"port"/)) as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    key: KEY,
    pid: program.pid,
    async untilDone(seconds) {
      const deadline = performance.now() + seconds * 1000;
      for (;;) {
        const { rows } = await own.query<{ unfinished: boolean }>(UNFINISHED);
        if (rows[0]?.unfinished === false) return true;
        if (performance.now() > deadline) return false;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
    async stop() {
      await own.end();
      await program.stop();
    },
  };
}
