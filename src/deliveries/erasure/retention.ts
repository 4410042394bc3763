// Deletes old attempts and what endpoints responded to them, some at a time; the deliveries stay (decision 021).
import { firstIdOf, FIRST_ID, type Walk, type Walked } from '../../base/id-time.ts';
import type { Tx } from '../../platform/database/database.ts';
import { purgeAttemptsSql, oldPendingSlotsSql, purgeSnippetsSql } from './erasure.sql.ts';
import type { CounterKey } from '../../caps/counter.ts';

/** The oldest of those made before then; how many they were. */
export async function purgeAttempts(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeAttemptsSql, { endId: firstIdOf(before), atOnce });
  return row?.purged ?? 0;
}

/** Of deliveries made before then. */
export async function oldPendingSlots(tx: Tx, before: Date): Promise<CounterKey[]> {
  const rows = await tx.query(oldPendingSlotsSql, { before, firstId: firstIdOf(before) });
  return rows.flatMap(({ offerKey, capWindows }) =>
    capWindows.map(({ window, startsAt }) => ({ offerKey, window, startsAt: new Date(startsAt) })),
  );
}

/** Of attempts made before then. */
export async function purgeSnippets(tx: Tx, { after, before, atOnce }: Walk): Promise<Walked> {
  const [row] = await tx.query(purgeSnippetsSql, {
    after: after ?? FIRST_ID,
    endId: firstIdOf(before),
    atOnce,
  });
  return { last: row?.lastId ?? null, changed: row?.purged ?? 0 };
}
