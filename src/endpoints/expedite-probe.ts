// Has an endpoint whose breaker is open asked again at once, because somebody says that it is back (contract 4.12).
import type { Tx } from '../platform/database/database.ts';
import type { EndpointKey } from './breaker.rules.ts';
import { expediteProbeSql } from './endpoint.sql.ts';

/** False where its breaker is not open. If it does not answer well, everything is as before. */
export async function expediteProbe(
  tx: Tx,
  { ownerKind, ownerKey, channel }: EndpointKey,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(expediteProbeSql, { ownerKind, ownerKey, channel, now });
  return rows.length > 0;
}
