// Tests migrations whose text was mended after a release: databases with the first text go on, all other changes are refused.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { restoreBackup } from '../../src/platform/database/backup/restore-backup.ts';
import { takeBackup } from '../../src/platform/database/backup/take-backup.ts';
import { checksumsOf } from '../../src/platform/database/mended-migrations.ts';
import { migrate, type Migration, readMigrations } from '../../src/platform/database/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeSchema } from '../support/schema-text.ts';

const FIRST_OF_0061 = '2e44e5df451ef9f7421ca84cd8f45b442ccd79b76737c297873ff737f3f2e11a';
const UNKNOWN = 'ab'.repeat(32);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

let testDatabase: TestDatabase;
const opened: TestDatabase[] = [];
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  opened.push(testDatabase);
});
afterAll(async () => {
  for (const { drop } of opened) await drop();
});

async function migrationOf(number: number): Promise<Migration> {
  const found = (await readMigrations()).find((migration) => migration.number === number);
  if (found === undefined) throw new Error(`no migration ${number}`);
  return found;
}

async function record(number: number, checksum: string): Promise<void> {
  const { pool } = testDatabase.database;
  const { rowCount } = await pool.query('UPDATE schema_migration SET checksum = $2 WHERE number = $1', [
    number,
    checksum,
  ]);
  expect(rowCount).toBe(1);
}

async function recorded(number: number): Promise<unknown> {
  const { rows } = await testDatabase.database.pool.query('SELECT checksum FROM schema_migration WHERE number = $1', [
    number,
  ]);
  return rows;
}

describe('A mended migration', () => {
  it('is recorded with the checksum of its first text, which programs of earlier releases compare', async () => {
    expect(await recorded(61)).toEqual([{ checksum: FIRST_OF_0061 }]);
    expect((await migrationOf(61)).checksum).toBe(FIRST_OF_0061);
  });

  it.each<[string, (migration: Migration) => string]>([
    ['its first text', () => FIRST_OF_0061],
    ['its mended text', ({ sql }) => sha256(sql)],
  ])('is no obstacle to a database that has the checksum of %s', async (_what, checksum) => {
    await record(61, checksum(await migrationOf(61)));
    expect(await migrate(testDatabase.database, new Date())).toMatchObject({ applied: [] });
  });

  it('is refused when the database has an unknown checksum', async () => {
    await record(61, UNKNOWN);
    await expect(migrate(testDatabase.database, new Date())).rejects.toThrow(
      'Migration 0061-claim-files.sql was changed after it had been applied to this database.',
    );
  });

  it('does not lend its first checksum to another migration', async () => {
    await record(60, FIRST_OF_0061);
    await expect(migrate(testDatabase.database, new Date())).rejects.toThrow(/^Migration 0060-.* was changed after/);
  });

  it.each<[string, (migration: Migration) => string, object]>([
    ['takes a backup with the checksum of the first text', () => FIRST_OF_0061, { ok: true }],
    ['takes a backup with the checksum of the mended text', ({ sql }) => sha256(sql), { ok: true }],
    ['rejects a backup with an unknown checksum', () => UNKNOWN, { ok: false, code: 'backup_unknown' }],
  ])('%s', async (_what, checksum, outcome) => {
    await record(61, checksum(await migrationOf(61)));
    const target = await createTestDatabase({ isEmpty: true });
    opened.push(target);
    const folder = await mkdtemp(join(tmpdir(), 'leadmarket-mended-'));
    try {
      const file = join(folder, 'mended.backup');
      const now = new Date();
      await takeBackup({ ...testDatabase, file, now, onProgress: () => undefined, onDraft: () => undefined });
      const { connection } = target;
      expect(
        await restoreBackup({ connection, file, replaces: false, now, onProgress: () => undefined }),
      ).toMatchObject(outcome);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is refused once its file is changed again', () => {
    expect(checksumsOf('0061-claim-files.sql', UNKNOWN)).toEqual({ checksum: UNKNOWN, accepted: [UNKNOWN] });
  });

  it('comes to the same table as its first text', async ({ skip }) => {
    const client = await testDatabase.database.connect();
    try {
      const { rows } = await client.query<{ version: number }>(
        `SELECT current_setting('server_version_num')::integer AS version`,
      );
      if ((rows[0]?.version ?? 0) < 160_000)
        skip('PostgreSQL 15 does not know the first text, which is why it was mended');
      const { sql } = await migrationOf(61);
      const first = sql
        .replace(
          '  content      bytea NOT NULL,\n',
          '  -- As sent. Images, recordings and most documents are compressed already.\n  content      bytea STORAGE EXTERNAL NOT NULL,\n',
        )
        .replace(/-- Content is stored as sent.*\nALTER TABLE .* SET STORAGE EXTERNAL;\n/, '');
      expect(sha256(first)).toBe(FIRST_OF_0061);
      const mended = await describeSchema(client);
      expect(mended).toContain('ALTER TABLE claim_file ALTER COLUMN content SET STORAGE EXTERNAL');
      // What follows belongs to a function that later migrations replace.
      await client.query(`DROP TABLE claim_file; ${first.slice(0, first.indexOf('-- As before'))}`);
      expect(await describeSchema(client)).toBe(mended);
    } finally {
      await client.end();
    }
  });
});
