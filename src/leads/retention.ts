// Deletes expired data of leads in small batches: raw bodies, consent proofs and records of sales; lists leads due for erasure (decision 021).
import { FIRST_ID, firstIdOf, type Walk, type Walked } from '../base/id-time.ts';
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { selectUnerased, purgeRawBodiesSql } from './lead.sql.ts';
import { deleteConsentsSql } from './consent.sql.ts';
import { purgeOldSales, measureSales } from './identity-sale.sql.ts';

/** Leads received before `before` that are not erased yet, in the order of their ids. */
export async function listUnerasedLeads(tx: Tx, { after, before, atOnce }: Walk): Promise<LeadId[]> {
  const rows = await tx.query(selectUnerased, { after: after ?? FIRST_ID, endId: firstIdOf(before), atOnce });
  return rows.map(({ leadId }) => leadId);
}

/** Deletes the raw bodies of submissions received before `before`; their fields are kept. */
export async function purgeRawBodies(tx: Tx, { after, before, atOnce }: Walk): Promise<Walked> {
  const [row] = await tx.query(purgeRawBodiesSql, {
    after: after ?? FIRST_ID,
    endId: firstIdOf(before),
    atOnce,
  });
  return { last: row?.lastId ?? null, changed: row?.purged ?? 0 };
}

/** Deletes the oldest consent proofs stored before then, which outlive their leads. Returns the number deleted. */
export async function deleteConsents(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(deleteConsentsSql, { endId: firstIdOf(before), atOnce });
  return row?.purged ?? 0;
}

/** The size of the table of sales, in blocks of 8 KiB with about a hundred sales each. */
export async function countSaleBlocks(tx: Tx): Promise<number> {
  const [row] = await tx.query(measureSales);
  return row?.blocks ?? 0;
}

/** Deletes sales before `before`, too old to matter, in `blocks` blocks from block `from` (0 is the first). Returns the number deleted. */
export async function purgeIdentitySales(
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
