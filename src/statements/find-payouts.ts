// Lists payouts, newest first (contract 11.3).
import { NEWEST, type TimePosition } from '../base/time-position.ts';
import type { Tx } from '../platform/database/database.ts';
import { payoutsAfter } from './payout.sql.ts';
import type { Payout } from './statement.ts';

/** The payouts after `after`. `supplierKey` null: of all suppliers. */
export async function findPayouts(
  tx: Tx,
  {
    supplierKey,
    after,
    limit,
  }: { readonly supplierKey: string | null; readonly after: TimePosition | null; readonly limit: number },
): Promise<Payout[]> {
  const { at, id } = after ?? NEWEST;
  return tx.query(payoutsAfter, { supplierKey, at, id, limit });
}
