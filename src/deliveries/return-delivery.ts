// Reads, locks and returns the deliveries that claims are about (contract 4.9).
import type { DeliveryId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { readDeliverySql, lockDeliverySql, lockSomeDeliveriesSql, returnDeliverySql } from './delivery.sql.ts';
import type { LockedDelivery } from './delivery.ts';

/** Null if there is no such delivery, or it is another buyer's. */
export async function readDelivery(tx: Tx, buyerKey: string, deliveryId: DeliveryId): Promise<LockedDelivery | null> {
  const [row] = await tx.query(readDeliverySql, { buyerKey, deliveryId });
  return row ?? null;
}

/** Locks it until the transaction ends. Null if there is no such delivery, or it is another buyer's. */
export async function lockDelivery(tx: Tx, buyerKey: string, deliveryId: DeliveryId): Promise<LockedDelivery | null> {
  const [row] = await tx.query(lockDeliverySql, { buyerKey, deliveryId });
  return row ?? null;
}

/** Locks them in the order of all locks; those that do not exist or are another buyer's are missing. */
export async function lockDeliveries(
  tx: Tx,
  buyerKey: string,
  deliveryIds: readonly DeliveryId[],
): Promise<LockedDelivery[]> {
  return tx.query(lockSomeDeliveriesSql, { buyerKey, deliveryIds });
}

/**
 * Confirmed → Returned; only for an approved return or dispute. Returns false and changes nothing if it is not Confirmed. The cap slot stays
 * taken, and the contact still counts as sold.
 */
export async function returnDelivery(tx: Tx, buyerKey: string, deliveryId: DeliveryId, now: Date): Promise<boolean> {
  const rows = await tx.query(returnDeliverySql, { buyerKey, deliveryId, now });
  return rows.length > 0;
}
