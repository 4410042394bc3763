// Reads what a delivery has moved: the charge, and a credit where it was returned (contract 7.2).
import type { DeliveryId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { selectOfDelivery } from './ledger.sql.ts';

/** Oldest first. For the operator: it is not bound to one buyer. */
export async function entriesOfDelivery(tx: Tx, deliveryId: DeliveryId): Promise<LedgerEntry[]> {
  return tx.query(selectOfDelivery, { deliveryId });
}
