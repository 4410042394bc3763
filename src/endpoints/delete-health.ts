// Gives an endpoint a new start: it was enabled by hand, or has another address (contract 4.12).
import type { Tx } from '../platform/database/database.ts';
import type { EndpointKey } from './breaker.rules.ts';
import { closeOutages, deleteHealthSql } from './endpoint.sql.ts';

export async function deleteHealth(tx: Tx, { ownerKind, ownerKey, channel }: EndpointKey, now: Date): Promise<void> {
  const [row] = await tx.query(deleteHealthSql, { ownerKind, ownerKey, channel });
  if (row !== undefined && row.openedAt !== null)
    await tx.query(closeOutages, { ownerKinds: [ownerKind], ownerKeys: [ownerKey], channels: [channel], now });
}
