// Moves messages whose endpoint has been away for days to the dead letters, from which the operator can requeue them.
import type { Tx } from '../platform/database/database.ts';
import { moveToDeadLetters } from '../platform/queue/dead-jobs.ts';
import { logMoves } from './callback-log.ts';
import { takeOverdue } from './message.sql.ts';

/** How long a message may have been due, in days. The schedule of retries takes 18 h; behind a breaker nothing uses it up. */
export const OVERDUE_DAYS = 3;
const AT_ONCE = 500;
const OVERDUE = 'Its endpoint has been away for days.';

/** Returns how many it was, at most 500: call it until it returns 0. */
export async function expireOverdueMessages(tx: Tx, dueBefore: Date, now: Date): Promise<number> {
  const rows = await tx.query(takeOverdue, { dueBefore, limit: AT_ONCE });
  for (const { occurredAt, attempts, ...message } of rows) {
    const payload = { ...message, occurredAt: occurredAt.toISOString() };
    const job = { jobId: message.messageId, name: 'send-message', payload, attempts, error: OVERDUE } as const;
    await moveToDeadLetters(tx, job, now);
  }
  await logMoves(tx, rows, { state: 'failed', error: OVERDUE });
  return rows.length;
}
