// Recounts what is held of partners' money: the payouts of their pending deliveries (contract 4.7, 7.7).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { countWrongHolds } from './hold.sql.ts';

/** What is wrong, in words; empty when nothing is. */
export async function checkHolds(tx: Tx): Promise<readonly string[]> {
  const [row] = await tx.query(countWrongHolds);
  assert(row !== undefined, 'a count has always a row');
  return row.partners === 0 ? [] : [`${row.partners} partners whose pending deliveries are not what is held for them`];
}
