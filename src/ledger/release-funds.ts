// Gives held money free again where no charge follows: the delivery failed (contract 4.7). With a charge, `releaseHeldCents` does it.
import type { Tx } from '../platform/database/database.ts';
import { changeHeldFunds } from './change-held-funds.ts';

/** By buyer key, in cents of 0 or more. Releasing more than is held fails the transaction. */
export async function releaseFunds(tx: Tx, amounts: ReadonlyMap<string, number>): Promise<void> {
  await changeHeldFunds(tx, amounts, -1);
}
