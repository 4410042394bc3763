// Which part of each supplier's confirmed deliveries came back, for the score (contract 3.5).
import { DAY_MS } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { returnRatesSql } from './delivery.sql.ts';

const DAYS = 30;

/** By supplier key, 0 to 1, over deliveries of the last 30 days; suppliers without any are left out. */
export async function returnRates(tx: Tx, now: Date): Promise<ReadonlyMap<string, number>> {
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  const rows = await tx.query(returnRatesSql, { since });
  return new Map(
    rows.filter((row) => row.confirmed > 0).map((row) => [row.supplierKey, Math.min(1, row.returned / row.confirmed)]),
  );
}
