// Activates, pauses or suspends a buyer (contract 7.2).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { done, refuse, type Outcome } from '../base/outcome.ts';
import { bumpConfigVersion } from '../marketplace/bump-version.ts';
import { lockConfigVersion } from '../marketplace/lock-version.ts';
import { recordHistory } from '../marketplace/record-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow, definitionOfBuyer } from './buyer-row.rules.ts';
import { lockBuyerSql } from './buyer.sql.ts';
import type { Buyer, BuyerStatus } from './buyer.ts';
import { saveBuyers } from './save-buyers.ts';

export type BuyerStatusChange = {
  readonly buyerKey: string;
  readonly status: BuyerStatus;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** Answers the buyer as it now is. The status that it has already changes nothing. */
export async function setBuyerStatus(
  tx: Tx,
  { buyerKey, status, actor, origin = noOrigin }: BuyerStatusChange,
  now: Date,
): Promise<Outcome<Buyer, 'partner_not_found'>> {
  await lockConfigVersion(tx);
  const [row] = await tx.query(lockBuyerSql, { buyerKey });
  if (row === undefined) return refuse('partner_not_found');
  const before = buyerOfRow(row);
  if (before.status === status) return done(before);

  const version = await bumpConfigVersion(tx);
  const after: Buyer = { ...before, status };
  await saveBuyers(tx, [after], now);
  const record = { kind: 'buyer', key: buyerKey, definition: definitionOfBuyer(after) } as const;
  await recordHistory(tx, { version, records: [record] }, now);
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey,
      supplierKey: null,
      action: 'partner.status_set',
      target: buyerKey,
      changes: { status: { from: before.status, to: status } },
      ...origin,
    },
  ]);
  return done(after);
}
