// A demo that an earlier version has made: the migration finds out which credentials and which operator are its own.
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { issueCredential } from '../../src/credentials/issue-credential.ts';
import { writeDemoOrigin } from '../../src/marketplace/stored-settings.ts';
import { seedDemo } from '../../src/demo/seed-demo.ts';
import { setOperatorPassword } from '../../src/sessions/change-operator.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const ORIGIN = 'http://127.0.0.1:3000';
const NOW = new Date('2026-11-22T12:00:00Z');

let home: TestDatabase;
let migration: string;

beforeAll(async () => {
  home = await createTestDatabase();
  await seedDemo(home.database, ORIGIN, NOW);
  const sql = await readFile(join(import.meta.dirname, '../../migrations/0030-demo-made.sql'), 'utf8');
  // The columns are there.
  migration = sql.slice(sql.indexOf('UPDATE'));
  // Issued later, by somebody who calls it so, too.
  const own = {
    kind: 'buyer_token',
    ownerKey: 'summit',
    label: 'demo',
    expiresAt: null,
    actor: commandLineActor,
  } as const;
  await home.database.tx((tx) => issueCredential(tx, own, new Date(NOW.getTime() + 1)));
});
beforeEach(async () => {
  await select(home.database, 'UPDATE credential SET is_demo = false');
  await select(home.database, 'UPDATE operator SET demo_password = NULL');
});
afterAll(() => home.drop());

async function found(): Promise<unknown> {
  await home.database.pool.query(migration);
  return {
    credentials: await select(home.database, 'SELECT kind, owner_key FROM credential WHERE is_demo ORDER BY kind'),
    operators: await select(home.database, 'SELECT name FROM operator WHERE password = demo_password'),
  };
}

const CREDENTIALS = [
  { kind: 'buyer_token', owner_key: 'summit' },
  { kind: 'supplier_key', owner_key: 'acme-media' },
];

describe('The migration of an earlier demo', () => {
  it('marks the credentials that the demo printed, and no others of the same name', async () => {
    expect(await found()).toEqual({ credentials: CREDENTIALS, operators: [{ name: 'demo' }] });
  });

  it('does not mark a demo operator whose password was changed', async () => {
    const passwordHash = await hashPassword('a password of somebody');
    const change = { name: 'demo', actor: commandLineActor, passwordHash };
    await home.database.tx((tx) => setOperatorPassword(tx, change, NOW));
    expect(await found()).toEqual({ credentials: CREDENTIALS, operators: [] });
  });

  it('marks nothing without a demo', async () => {
    await home.database.tx((tx) => writeDemoOrigin(tx, null));
    expect(await found()).toEqual({ credentials: [], operators: [] });
  });
});
