// Forgets the bodies of old submissions, some at a time: the fields are what is worked with (decision 021).
import { FIRST_ID, firstIdOf, type Walk, type Walked } from '../base/id-time.ts';
import type { Tx } from '../platform/database/database.ts';
import { purgeRawBodiesSql } from './lead.sql.ts';

/** Of submissions made before then. */
export async function purgeRawBodies(tx: Tx, { after, before, atOnce }: Walk): Promise<Walked> {
  const [row] = await tx.query(purgeRawBodiesSql, {
    after: after ?? FIRST_ID,
    endId: firstIdOf(before),
    atOnce,
  });
  return { last: row?.lastId ?? null, changed: row?.purged ?? 0 };
}
