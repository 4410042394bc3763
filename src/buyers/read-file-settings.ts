// Reads what the last applied file stated of each buyer's settings (contract 7.5).
import type { Tx } from '../platform/database/database.ts';
import { readFileSettingsSql } from './buyer.sql.ts';
import type { FileSettings } from './file-settings.ts';

/** Of every buyer, or of those of `keys`. */
export async function readFileSettings(tx: Tx, keys?: readonly string[]): Promise<Map<string, FileSettings>> {
  const rows = await tx.query(readFileSettingsSql, { keys: keys ?? null });
  return new Map(rows.map((row) => [row.buyerKey, row.fileSettings]));
}
