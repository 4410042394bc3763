// Reads, locks and returns the one delivery that a claim is about (contract 4.9).
import type { DeliveryId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { readDeliverySql, lockDeliverySql, returnDeliverySql } from './delivery.sql.ts';
import type { LockedDelivery } from './delivery.ts';

/** What locking it would answer. Null for a delivery of somebody else as for one that there is not. */
export async function readDelivery(tx: Tx, buyerKey: string, deliveryId: DeliveryId): Promise<LockedDelivery | null> {
  const [row] = await tx.query(readDeliverySql, { buyerKey, deliveryId });
  return row ?? null;
}

/** Null for a delivery of somebody else as for one that there is not. */
export async function lockDelivery(tx: Tx, buyerKey: string, deliveryId: DeliveryId): Promise<LockedDelivery | null> {
  const [row] = await tx.query(lockDeliverySql, { buyerKey, deliveryId });
  return row ?? null;
}

/** False, and nothing changed, where it is not Confirmed. The slot stays taken, and the person still counts as sold. */
export async function returnDelivery(tx: Tx, buyerKey: string, deliveryId: DeliveryId, now: Date): Promise<boolean> {
  const rows = await tx.query(returnDeliverySql, { buyerKey, deliveryId, now });
  return rows.length > 0;
}
