// Writes all rows of a running database, as they are at one instant, into one file (docs/operations.md, backups).
import type pg from 'pg';

import { createArchive } from './archive.ts';
import { begin, readSequences, readTables, type TableFacts } from './catalog.ts';
import { connectForCopy, copyOut } from './copy-stream.ts';

export type BackupReport = {
  readonly takenAt: string;
  /** The number of the newest migration. */
  readonly schema: number;
  readonly tables: number;
  readonly rows: number;
  /** The size of the file. */
  readonly bytes: number;
};

export type BackupOptions = {
  readonly connection: pg.ClientConfig;
  readonly file: string;
  readonly now: Date;
  readonly onProgress: (table: string, share: number) => void;
  /** Receives a function that removes the unfinished file, for a process that is interrupted. */
  readonly onDraft: (discard: () => Promise<void>) => void;
};

type MigrationRow = { number: number; name: string; checksum: string };

/** Null when the database has no tables of this service. */
export async function takeBackup({
  connection,
  file,
  now,
  onProgress,
  onDraft,
}: BackupOptions): Promise<BackupReport | null> {
  const client = await connectForCopy(connection);
  try {
    await begin(client, 'ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const { rows: found } = await client.query(`SELECT FROM pg_class WHERE oid = to_regclass('schema_migration')`);
    if (found.length === 0) return null;
    const { rows: migrations } = await client.query<MigrationRow>(
      'SELECT number, name, checksum FROM schema_migration ORDER BY number',
    );
    const tables = await readTables(client);
    const archive = createArchive(file);
    onDraft(() => archive.discard());
    try {
      await archive.line({ format: 'leadmarket-backup-1', takenAt: now.toISOString(), migrations });
      const rows = await copyTables(client, tables, { archive, onProgress });
      // Read last, so that the numbers issued since the snapshot began are skipped and not issued twice.
      await archive.line({ sequences: await readSequences(client) });
      await client.query('COMMIT');
      const { bytes } = await archive.finish();
      return { takenAt: now.toISOString(), schema: migrations.at(-1)?.number ?? 0, tables: tables.length, rows, bytes };
    } finally {
      await archive.discard();
    }
  } finally {
    await client.end();
  }
}

async function copyTables(
  client: pg.Client,
  tables: readonly TableFacts[],
  { archive, onProgress }: { archive: ReturnType<typeof createArchive>; onProgress: BackupOptions['onProgress'] },
): Promise<number> {
  const inAll = tables.reduce((sum, { bytes }) => sum + bytes, 1);
  let before = 0;
  let rows = 0;
  for (const { table, columns, bytes } of tables) {
    await archive.line({ table, columns });
    let copied = 0;
    const copiedRows = await copyOut(client, copyText(client, { table, columns }, 'TO STDOUT'), async (block) => {
      await archive.block(block);
      copied += block.length;
      onProgress(table, (before + Math.min(copied, bytes)) / inAll);
    });
    await archive.endOfRows();
    await archive.line({ rows: copiedRows });
    before += bytes;
    rows += copiedRows;
  }
  return rows;
}

export function copyText(
  client: pg.Client,
  { table, columns }: { table: string; columns: readonly string[] },
  direction: string,
): string {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  return `COPY ${client.escapeIdentifier(table)} (${list}) ${direction}`;
}
