// Promises a buyer's money to deliveries that are under way; a hold is no ledger entry (contract 4, funds).
import type { Tx } from '../platform/database/database.ts';
import { changeHeldFunds } from './change-held-funds.ts';

/** By buyer key, in cents of 0 or more. Whether the money is there is decided before, under `lockFunds`. */
export async function holdFunds(tx: Tx, amounts: ReadonlyMap<string, number>): Promise<void> {
  await changeHeldFunds(tx, amounts, 1);
}
