// Creates a database with the demo for a test file, cloned from a template into which the first caller of a test run loads it.
import { inject } from 'vitest';

import { openDatabase } from '../../src/platform/database/database.ts';
import { type DemoSecrets, seedDemo } from '../../src/demo/seed-demo.ts';
import { greeting } from '../../src/entry/greeting.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { onServer, withDatabase } from './server.ts';

export type DemoDatabase = TestDatabase & {
  /** What a server at this address prints after it has loaded the demo: a link that signs in, a key, a token. */
  readonly printed: (name: Printed, url: string) => string;
};

type Printed = 'Portal' | 'Supplier portal' | 'Console' | 'Supplier key' | 'Buyer token';

// Several workers may ask at once; loading it takes as long as twenty tests.
const LOAD_LOCK = 4_207_115_303;
/** A server with DEMO=on moves the inboxes to its own address when it starts. */
const NO_ORIGIN = 'http://127.0.0.1:1';

/** For servers that are started with DEMO=on. The history ends at the time of the first call of the run. */
export async function createDemoDatabase(): Promise<DemoDatabase> {
  const { url, template } = inject('postgres');
  const name = `${template}_demo`;
  const secrets = await onServer(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOAD_LOCK]);
    // The secrets are known only to the caller that loaded the demo; the comment is there when all of it is.
    const { rows } = await client.query<{ secrets: string | null }>(
      "SELECT shobj_description(oid, 'pg_database') AS secrets FROM pg_database WHERE datname = $1",
      [name],
    );
    const loaded = rows[0]?.secrets ?? null;
    if (loaded !== null) return JSON.parse(loaded) as DemoSecrets;
    // A worker may have died while it loaded the demo.
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    const made = await load(withDatabase(url, name));
    // A database with a session in it cannot be cloned.
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await client.query(`COMMENT ON DATABASE ${name} IS ${client.escapeLiteral(JSON.stringify(made))}`);
    return made;
  });
  const database = await createTestDatabase({ from: { url: withDatabase(url, name) } });
  return { ...database, printed: (what, at) => lineOf(secrets, what, at) };
}

async function load(url: string): Promise<DemoSecrets> {
  const database = openDatabase({ connection: { connectionString: url }, idleInTransactionMs: 60_000 });
  try {
    const secrets = await seedDemo(database, NO_ORIGIN, new Date());
    if (secrets === null) throw new Error('the template of the tests contains a marketplace');
    return secrets;
  } finally {
    await database.close();
  }
}

function lineOf(secrets: DemoSecrets, what: Printed, at: string): string {
  const { hostname, port } = new URL(at);
  const demo = { secrets, notLoaded: null };
  const text = greeting({ host: hostname, port: Number(port), role: 'all', demo, statusUrl: null }, new Date());
  const found = new RegExp(`^${what} {2}(\\S+)$`, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`a server prints no line ${what}`);
  return found;
}
