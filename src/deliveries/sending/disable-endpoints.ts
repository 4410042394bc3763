// Takes endpoints out of use that answered 410 or nothing good for a long time, and tells their partners how much waits (contract 4.11).
import { type BadEndpoint, disableEndpoints as disable } from '../../buyers/set-endpoint.ts';
import type { Tx } from '../../platform/database/database.ts';
import { countWaiting } from './send.sql.ts';

/** Waits for whoever changes the configuration. An endpoint that is disabled already, or was given another URL, stays as it is. */
export async function disableEndpoints(
  tx: Tx,
  endpoints: ReadonlyArray<Omit<BadEndpoint, 'waiting'>>,
  now: Date,
): Promise<void> {
  const counted: BadEndpoint[] = [];
  // Everything that was under way when it answered so says the same.
  const different = new Map(endpoints.map((endpoint) => [`${endpoint.buyerKey} ${endpoint.webhookUrl}`, endpoint]));
  for (const endpoint of different.values()) {
    const [row] = await tx.query<{ waiting: number }>(countWaiting, [endpoint.buyerKey, 'webhook']);
    counted.push({ ...endpoint, waiting: row?.waiting ?? 0 });
  }
  await disable(tx, counted, now);
}
