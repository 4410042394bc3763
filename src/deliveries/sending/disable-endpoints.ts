// Disables endpoints that answered 410 or have failed for a long time, and notifies their partners of how much waits (contract 4.11).
import { type BadEndpoint, disableEndpoints as disable } from '../../buyers/set-endpoint.ts';
import type { Tx } from '../../platform/database/database.ts';
import { countWaiting } from './send.sql.ts';

/** Waits for changes of the configuration. An endpoint that is disabled already, or was given another URL, stays as it is. */
export async function disableEndpoints(
  tx: Tx,
  endpoints: ReadonlyArray<Omit<BadEndpoint, 'waiting'>>,
  now: Date,
): Promise<void> {
  const counted: BadEndpoint[] = [];
  // All attempts under way when it answered so say the same.
  const distinct = new Map(endpoints.map((endpoint) => [`${endpoint.buyerKey} ${endpoint.webhookUrl}`, endpoint]));
  for (const endpoint of distinct.values()) {
    const [row] = await tx.query(countWaiting, { buyerKey: endpoint.buyerKey, channel: 'webhook' });
    counted.push({ ...endpoint, waiting: row?.waiting ?? 0 });
  }
  await disable(tx, counted, now);
}
