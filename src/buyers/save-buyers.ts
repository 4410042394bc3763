// Writes whole buyers, new ones and changed ones alike.
import type { Tx } from '../platform/database/database.ts';
import { rowOfBuyer, type SavedBuyer } from './buyer-row.rules.ts';
import { saveBuyersSql } from './buyer.sql.ts';

/**
 * A changed webhook URL also puts a disabled endpoint back into use. The caller has bumped the version and records history and audit;
 * what the file states of the settings is written apart.
 */
export async function saveBuyers(tx: Tx, buyers: readonly SavedBuyer[], now: Date): Promise<void> {
  if (buyers.length === 0) return;
  await tx.query(saveBuyersSql, [JSON.stringify(buyers.map(rowOfBuyer)), now]);
}
