// Whose turn it is under round_robin: kept per offer, and locked while a batch hands turns out, so that there is one order of turns
// for all workers (contract 4.3).
import type { Tx } from '../platform/database/database.ts';
import { lockTurnsSql, makeTurns, writeTurns } from './routing.sql.ts';

/** By offer key: when each of the offers was last picked; 0 for never. Locked until the transaction ends. */
export async function lockTurns(tx: Tx, offerKeys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  let rows = await tx.query(lockTurnsSql, { offerKeys });
  if (rows.length < offerKeys.length) {
    await tx.query(makeTurns, { offerKeys });
    rows = await tx.query(lockTurnsSql, { offerKeys });
  }
  return new Map(rows.map(({ offerKey, turn }) => [offerKey, turn]));
}

/** `turns` names the offers in the order in which they were picked. */
export async function recordTurns(tx: Tx, turns: readonly string[]): Promise<void> {
  if (turns.length > 0) await tx.query(writeTurns, { turns });
}
