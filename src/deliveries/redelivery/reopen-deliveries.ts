// Reopens failed deliveries: Failed → Pending under the same id, with a new job (contract 6.4). Routing decides which ones may be reopened,
// and passes its operation in as `ReviveDeliveries`.
import { strict as assert } from 'node:assert';

import type { DeliveryId, LeadId } from '../../base/ids.ts';
import type { CapSlot } from '../../caps/cap-counters.ts';
import type { Tx } from '../../platform/database/database.ts';
import { dueAtOnce } from '../../platform/queue/due-at-once.ts';
import { lockDeliveriesOfLeadsSql, reopenDeliveriesSql, selectFailed } from './redelivery.sql.ts';
import type { FailedSale, LeadDelivery } from '../delivery.ts';

/** Returns the deliveries that are Pending again; the others are no longer available to their partners. */
export type ReviveDeliveries = (
  tx: Tx,
  deliveryIds: readonly DeliveryId[],
  now: Date,
) => Promise<ReadonlySet<DeliveryId>>;

export async function readFailedSales(tx: Tx, deliveryIds: readonly DeliveryId[]): Promise<FailedSale[]> {
  return tx.query(selectFailed, { deliveryIds });
}

export async function lockDeliveriesOfLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<LeadDelivery[]> {
  return tx.query(lockDeliveriesOfLeadsSql, { leadIds });
}

export type Reopened = {
  readonly deliveryId: DeliveryId;
  readonly isExclusive: boolean;
  /** The cap counters that it took a slot from this time. */
  readonly capWindows: readonly CapSlot[];
};

/** The caller has locked the rows and found them Failed. */
export async function reopenDeliveries(tx: Tx, deliveries: readonly Reopened[], now: Date): Promise<void> {
  if (deliveries.length === 0) return;
  const changed = await tx.query(reopenDeliveriesSql, {
    deliveryIds: deliveries.map(({ deliveryId }) => deliveryId),
    isExclusives: deliveries.map(({ isExclusive }) => isExclusive),
    capWindows: deliveries.map(({ capWindows }) => JSON.stringify(capWindows)),
    dueAt: dueAtOnce(now),
  });
  assert(changed.length === deliveries.length, 'a delivery to be reopened is not Failed');
}
