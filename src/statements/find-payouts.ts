// Lists payouts (contract 11.3).
import { strict as assert } from 'node:assert';
import { NEWEST, type TimePosition } from '../base/time-position.ts';
import type { Tx } from '../platform/database/database.ts';
import { countPayouts, pagesOfPayouts, payoutsAfter } from './payout.sql.ts';
import type { Payout, PayoutOrder } from './statement.ts';

/** The payouts after `after`, newest first. `supplierKey` null: of all suppliers. */
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

/** A page with the exact number of all. `page` is from 1. */
export async function listPayouts(
  tx: Tx,
  {
    supplierKey,
    order,
    page,
    pageSize,
  }: {
    readonly supplierKey: string | null;
    readonly order: PayoutOrder;
    readonly page: number;
    readonly pageSize: number;
  },
): Promise<{ readonly total: number; readonly payouts: readonly Payout[] }> {
  const [count] = await tx.query(countPayouts, { supplierKey });
  assert(count !== undefined, 'a count always returns a row');
  const offset = (page - 1) * pageSize;
  const payouts =
    offset >= count.total ? [] : await tx.query(pagesOfPayouts[order], { supplierKey, offset, limit: pageSize });
  return { total: count.total, payouts };
}
