// Finds dead letters for the operator's console: page by page, and grouped by job, owner and error.
import { NEWEST, type TimePosition } from '../../base/time-position.ts';
import type { Tx } from '../database/database.ts';
import { countDeadJobs, dueDeadJobs, groupDeadJobs, pageOfDeadJobs } from './dead-job.sql.ts';
import type { ListedDeadJob, DeadJobFilter, DeadJobGroup } from './dead-job.ts';

/** Enough to see what is wrong; beyond it says the same again. */
const GROUPED_AT_MOST = 10_000;

/** Newest first, from behind `after`. */
export async function pageDeadJobs(
  tx: Tx,
  { filter, after, limit }: { filter: DeadJobFilter; after: TimePosition | null; limit: number },
): Promise<ListedDeadJob[]> {
  const { at, id } = after ?? NEWEST;
  return tx.query(pageOfDeadJobs, { ...filter, afterTime: at, afterId: id, limit });
}

export async function deadJobGroups(tx: Tx): Promise<DeadJobGroup[]> {
  return tx.query(groupDeadJobs, { limit: GROUPED_AT_MOST });
}

/** Locked, so that two requests at once share them out. */
export async function takeDeadJobs(tx: Tx, filter: DeadJobFilter, limit: number): Promise<string[]> {
  const rows = await tx.query(dueDeadJobs, { ...filter, limit });
  return rows.map(({ jobId }) => jobId);
}

/** At most `limit`. */
export async function countDead(tx: Tx, filter: DeadJobFilter, limit: number): Promise<number> {
  const [row] = await tx.query(countDeadJobs, { ...filter, limit });
  return row?.jobs ?? 0;
}
