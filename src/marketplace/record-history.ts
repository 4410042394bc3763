// Keeps each definition that was ever in force, so that an old decision can be explained by the rules of its day.
import type { Tx } from '../platform/database/database.ts';
import { recordHistorySql } from './marketplace.sql.ts';
import type { HistoryRecord } from './settings.ts';

/** `version` is the one that `bumpConfigVersion` answered in this transaction. */
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
