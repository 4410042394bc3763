// Reads and stores the partner settings that the last applied marketplace file stated (contract 7.5).
import type { Tx } from '../platform/database/database.ts';
import { readFileSettingsSql, writeFileSettingsSql } from './buyer.sql.ts';
import type { FileStatement } from './buyer.ts';

/** By buyer key; only for the buyers in `keys` if given. */
export async function readFileSettings(tx: Tx, keys?: readonly string[]): Promise<Map<string, FileStatement>> {
  const rows = await tx.query(readFileSettingsSql, { keys: keys ?? null });
  return new Map(rows.map((row) => [row.buyerKey, row.fileSettings]));
}

/**
 * Stores what a file stated, by buyer key, so that the next file overwrites only settings that it states differently. Running processes
 * do not use it, so it needs no new configuration version.
 */
export async function writeFileSettings(tx: Tx, stated: ReadonlyMap<string, FileStatement>): Promise<void> {
  if (stated.size === 0) return;
  const texts = [...stated.values()].map((settings) => JSON.stringify(settings));
  await tx.query(writeFileSettingsSql, { buyerKeys: [...stated.keys()], texts });
}
