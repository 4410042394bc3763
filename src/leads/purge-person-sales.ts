// Forgets who was sold so long ago that it decides nothing any more, one part of the table at a time (decision 021).
import type { Tx } from '../platform/database/database.ts';
import { purgeOldSales, measureSales } from './person-sale.sql.ts';

/** Blocks of 8 KiB, each with about a hundred sales. */
export async function blocksOfPersonSales(tx: Tx): Promise<number> {
  const [row] = await tx.query(measureSales);
  return row?.blocks ?? 0;
}

/** In `blocks` blocks from block `from` on (0 is the first); answers how many it forgot. */
export async function purgeOldPersonSales(
  tx: Tx,
  { from, blocks, before }: { readonly from: number; readonly blocks: number; readonly before: Date },
): Promise<number> {
  const blockStart = (block: number): string => `(${block},0)`;
  const [row] = await tx.query(purgeOldSales, {
    fromPage: blockStart(from),
    beforePage: blockStart(from + blocks),
    soldBefore: before,
  });
  return row?.purged ?? 0;
}
