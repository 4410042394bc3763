// Reads what a partner may see of the audit trail (contract 6.15).
import type { Tx } from '../platform/database/database.ts';
import type { AuditRecord } from './audit-event.ts';
import { selectAuditEventsOfBuyer } from './audit.sql.ts';

/** Newest first, at most `limit`. What concerns the operator alone is not among them. */
export async function listAudit(tx: Tx, buyerKey: string, limit: number): Promise<AuditRecord[]> {
  const rows = await tx.query(selectAuditEventsOfBuyer, { buyerKey, limit });
  return rows.map(({ actorType, actorName, ...row }) => ({ ...row, actor: { type: actorType, name: actorName } }));
}
