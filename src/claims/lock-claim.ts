// Keeps a claim and its delivery for this transaction alone: the delivery first, as whoever files one locks it.
import type { ClaimId } from '../base/ids.ts';
import { lockDelivery } from '../deliveries/return-delivery.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { findClaim, lockClaimSql } from './claim.sql.ts';

/** `buyerKey` null is the operator, who may have anybody's. Null where there is no such claim. */
export async function lockClaim(tx: Tx, buyerKey: string | null, claimId: ClaimId): Promise<Claim | null> {
  const [found] = await tx.query(findClaim, { claimId });
  if (found === undefined || (buyerKey !== null && found.buyerKey !== buyerKey)) return null;
  await lockDelivery(tx, found.buyerKey, found.deliveryId);
  const [claim] = await tx.query(lockClaimSql, { buyerKey: found.buyerKey, claimId });
  return claim ?? null;
}
