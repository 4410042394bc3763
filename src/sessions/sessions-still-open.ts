// Which of many sessions are still open: for what outlives the request that was let in (decision 022).
import type { Uuid, SessionId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { lifetimes } from './session.ts';
import { selectStillOpen } from './session.sql.ts';

export async function sessionsStillOpen(
  tx: Tx,
  sessionIds: readonly SessionId[],
  now: Date,
): Promise<ReadonlySet<Uuid>> {
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const rows = await tx.query(selectStillOpen, {
    sessionIds,
    now,
    buyerIdleSince: ago(lifetimes.buyer.idleMs),
    operatorIdleSince: ago(lifetimes.operator.idleMs),
  });
  return new Set(rows.map(({ sessionId }) => sessionId));
}
