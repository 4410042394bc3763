// Inserts and updates buyers, and activates, pauses or suspends one (contract 7.2).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { done, refuse, type Outcome } from '../base/outcome.ts';
import { type EndpointKey, endpointName } from '../endpoints/breaker.rules.ts';
import { deleteHealth } from '../endpoints/health.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import { recordHistory } from '../marketplace/config-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow, rowOfBuyer, type SavedBuyer, definitionOfBuyer } from './buyer-row.rules.ts';
import { readSomeBuyersSql, saveBuyersSql, lockBuyerSql } from './buyer.sql.ts';
import type { Buyer, BuyerStatus } from './buyer.ts';
import { targetOf } from './channel-target.rules.ts';
import { channels } from './partner.schema.ts';

/**
 * A channel with a new target has its health reset, and a changed webhook URL also enables a disabled endpoint. The caller must have
 * locked and bumped the configuration version, and records history and audit; `writeFileSettings` stores what the file stated.
 */
export async function saveBuyers(tx: Tx, buyers: readonly SavedBuyer[], now: Date): Promise<void> {
  if (buyers.length === 0) return;
  const rows = await tx.query(readSomeBuyersSql, { keys: buyers.map(({ buyerKey }) => buyerKey) });
  await tx.query(saveBuyersSql, { buyers: JSON.stringify(buyers.map(rowOfBuyer)), now });
  const before = new Map(rows.map((row) => [row.buyerKey, buyerOfRow(row)]));
  for (const endpoint of movedEndpoints(before, buyers)) await deleteHealth(tx, endpoint, now);
}

/** In the order in which recording delivery results locks the same rows. */
function movedEndpoints(before: ReadonlyMap<string, SavedBuyer>, after: readonly SavedBuyer[]): EndpointKey[] {
  const moved = after.flatMap(({ buyerKey, settings }) => {
    const was = before.get(buyerKey)?.settings;
    if (was === undefined) return [];
    return channels
      .filter((channel) => targetOf(channel, was) !== targetOf(channel, settings))
      .map((channel): EndpointKey => ({ ownerKind: 'buyer', ownerKey: buyerKey, channel }));
  });
  return moved.toSorted((left, right) => (endpointName(left) < endpointName(right) ? -1 : 1));
}

export type BuyerStatusChange = {
  readonly buyerKey: string;
  readonly status: BuyerStatus;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** Returns the changed buyer. Setting the current status again writes nothing. */
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
