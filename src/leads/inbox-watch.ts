// Finds suppliers whose leads wait too long for routing, so that their own further posts are rejected and nobody else's (contract 3.4).
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import { selectOverdueSuppliers } from './inbox.sql.ts';

export type InboxWatch = {
  /** Seconds after which the supplier should post again; 0 while it may post. At most about a second behind. */
  waitOf(supplierKey: string): number;
};

/** Longer than a burst of posts takes to be routed. */
export const OVERDUE_MS = 60_000;
/** A few leads that wait this long are no flood. */
export const OVERDUE_LEADS = 1000;
const READ_EVERY_MS = 1000;
/** Several times the interval in which processes report. */
const WORKER_SEEN_WITHIN_MS = 15_000;
/** Long enough to help, and short enough that a supplier is back soon after the last overdue lead was routed. */
const LONGEST_WAIT_SECONDS = 30;

export type InboxWatchOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
};

/** Reads only while there are posts. */
export function createInboxWatch({ database, clock, onFault }: InboxWatchOptions): InboxWatch {
  let waits: ReadonlyMap<string, number> = new Map();
  let readAt = 0;

  const read = async (): Promise<void> => {
    const at = clock.now();
    const now = dueAtOnce(at);
    const rows = await database.query(selectOverdueSuppliers, {
      before: new Date(now.getTime() - OVERDUE_MS),
      leads: OVERDUE_LEADS,
      workerSeenSince: new Date(at.getTime() - WORKER_SEEN_WITHIN_MS),
    });
    waits = new Map(
      rows.map(({ supplierKey, dueAt }) => {
        const overMs = now.getTime() - dueAt.getTime() - OVERDUE_MS;
        return [supplierKey, Math.min(Math.max(1, Math.ceil(overMs / 1000)), LONGEST_WAIT_SECONDS)];
      }),
    );
  };
  return {
    waitOf(supplierKey) {
      const at = clock.now().getTime();
      // Both ways, because a clock may be set back.
      if (Math.abs(at - readAt) >= READ_EVERY_MS) {
        readAt = at;
        read().catch(onFault);
      }
      return waits.get(supplierKey) ?? 0;
    },
  };
}
