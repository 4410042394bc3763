// How one owner's endpoints are doing: those with failures since the last success (contract 4.12).
import type { Tx } from '../platform/database/database.ts';
import type { EndpointKey } from './breaker.rules.ts';
import { selectHealth } from './endpoint.sql.ts';
import type { EndpointState } from './endpoint-health.ts';

/** At most one for each channel. One in good health is not in it. */
export async function readHealth(
  tx: Tx,
  { ownerKind, ownerKey }: Pick<EndpointKey, 'ownerKind' | 'ownerKey'>,
): Promise<EndpointState[]> {
  return tx.query(selectHealth, { ownerKind, ownerKey });
}
