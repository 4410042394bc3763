// Forgets what endpoints answered to old attempts, some at a time: an answer may quote the lead (decision 021).
import { FIRST_ID, firstIdOf, type Walk, type Walked } from '../../base/id-time.ts';
import type { Tx } from '../../platform/database/database.ts';
import { purgeSnippetsSql } from './erasure.sql.ts';

/** Of attempts made before then. */
export async function purgeSnippets(tx: Tx, { after, before, atOnce }: Walk): Promise<Walked> {
  const [row] = await tx.query(purgeSnippetsSql, {
    after: after ?? FIRST_ID,
    attemptId: firstIdOf(before),
    atOnce,
  });
  return { last: row?.lastId ?? null, changed: row?.purged ?? 0 };
}
