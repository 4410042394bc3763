// The definitions that were in force at an earlier version of the configuration.
import type { Tx } from '../platform/database/database.ts';
import { readHistorySql } from './marketplace.sql.ts';
import type { HistoryRecord } from './settings.ts';

/** The last definition of each key up to and including the version, by key; as JSON gives it back. */
export async function readHistory(tx: Tx, kind: HistoryRecord['kind'], version: number): Promise<Map<string, unknown>> {
  const rows = await tx.query(readHistorySql, { kind, version });
  return new Map(rows.map((row) => [row.key, row.definition]));
}
