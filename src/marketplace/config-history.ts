// Stores and reads all past definitions of the configuration, to explain old decisions and to detect conflicting edits.
import type { Tx } from '../platform/database/database.ts';
import {
  recordHistorySql,
  readHistorySql,
  changedAmongSql,
  changedSinceSql,
  lastChangeSql,
} from './marketplace.sql.ts';
import type { HistoryRecord, ConfigKey, ChangedKey } from './settings.ts';

/** `version` must be the result of `bumpConfigVersion` in this transaction. */
export async function recordHistory(
  tx: Tx,
  { version, records }: { readonly version: number; readonly records: readonly HistoryRecord[] },
  now: Date,
): Promise<void> {
  if (records.length === 0) return;
  await tx.query(recordHistorySql, {
    version,
    now,
    kinds: records.map((record) => record.kind),
    keys: records.map((record) => record.key),
    definitions: records.map((record) => JSON.stringify(record.definition)),
  });
}

/** The last definition of each key up to and including the version, by key, as parsed JSON. */
export async function readHistory(tx: Tx, kind: HistoryRecord['kind'], version: number): Promise<Map<string, unknown>> {
  const rows = await tx.query(readHistorySql, { kind, version });
  return new Map(rows.map((row) => [row.key, row.definition]));
}

/** When a member of a definition last got another value; null if it has the value that it had at first. */
export async function lastChangeOf(
  tx: Tx,
  { kind, key, member }: Pick<HistoryRecord, 'kind' | 'key'> & { readonly member: string },
): Promise<Date | null> {
  const [row] = await tx.query(lastChangeSql, { kind, key, member });
  return row?.changedAt ?? null;
}

export type SeenConfig = {
  /** The version that the editor has seen. */
  readonly version: number;
  /** The things that the editor has seen; null for all. */
  readonly things: readonly ConfigKey[] | null;
};

/** What has changed since an editor read the configuration, the last change first, at most `limit` things. */
export async function findChangedSince(tx: Tx, { version, things }: SeenConfig, limit: number): Promise<ChangedKey[]> {
  if (things === null) return tx.query(changedSinceSql, { version, limit });
  return tx.query(changedAmongSql, {
    version,
    kinds: things.map(({ kind }) => kind),
    keys: things.map(({ key }) => key),
    limit,
  });
}
