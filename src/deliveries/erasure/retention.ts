// Deletes old attempts and what endpoints responded to them, some at a time; the deliveries stay (decision 021).
import { firstIdOf, FIRST_ID, type Walk, type Walked } from '../../base/id-time.ts';
import type { Tx } from '../../platform/database/database.ts';
import { purgeAttemptsSql, oldPendingSlotsSql, purgeSnippetsSql } from './erasure.sql.ts';
import type { CounterKey } from '../../caps/counter.ts';

/** Deletes the oldest attempts from before `before`; returns how many. */
export async function purgeAttempts(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeAttemptsSql, { endId: firstIdOf(before), atOnce });
  return row?.purged ?? 0;
}

/** The cap slots that Pending deliveries from before `before` may still release (contract 4.5). Their counters must be kept. */
export async function oldPendingSlots(tx: Tx, before: Date): Promise<CounterKey[]> {
  const rows = await tx.query(oldPendingSlotsSql, { before, firstId: firstIdOf(before) });
  return rows.flatMap(({ offerKey, capWindows }) =>
    capWindows.map(({ window, startsAt }) => ({ offerKey, window, startsAt: new Date(startsAt) })),
  );
}

/** Deletes the stored response texts of attempts from before `before`: a response may quote the lead. */
export async function purgeSnippets(tx: Tx, { after, before, atOnce }: Walk): Promise<Walked> {
  const [row] = await tx.query(purgeSnippetsSql, {
    after: after ?? FIRST_ID,
    endId: firstIdOf(before),
    atOnce,
  });
  return { last: row?.lastId ?? null, changed: row?.purged ?? 0 };
}
