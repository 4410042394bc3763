// Makes the deliveries of a batch of sales with their send jobs; what has no channel to go through is confirmed at once (contract 4).
import type { Uuid } from '../base/ids.ts';
import type { CapSlot } from '../caps/cap-counters.ts';
import type { Tx } from '../platform/database/database.ts';
import { confirmDeliveries } from './confirm-deliveries.ts';
import { insertDeliveries } from './delivery.sql.ts';

export type NewDelivery = {
  readonly deliveryId: Uuid;
  readonly buyerKey: string;
  readonly leadId: Uuid;
  readonly offerKey: string;
  readonly supplierKey: string;
  readonly eventType: 'Lead Sale' | 'Calendar Assigned';
  readonly isExclusive: boolean;
  readonly payoutCents: number;
  /** The partner's primary channel; null where the partner reads the API only. */
  readonly channel: string | null;
  /** The counters that it took a slot from. */
  readonly capWindows: readonly CapSlot[];
  readonly appointmentAt: Date | null;
};

/** The money of each delivery has been held by the caller, in the same transaction. */
export async function createDeliveries(tx: Tx, deliveries: readonly NewDelivery[], now: Date): Promise<void> {
  if (deliveries.length === 0) return;
  const column = <Value>(pick: (delivery: NewDelivery) => Value): Value[] => deliveries.map(pick);
  await tx.query(insertDeliveries, [
    column((delivery) => delivery.deliveryId),
    column((delivery) => delivery.buyerKey),
    column((delivery) => delivery.leadId),
    column((delivery) => delivery.offerKey),
    column((delivery) => delivery.supplierKey),
    column((delivery) => delivery.eventType),
    column((delivery) => delivery.isExclusive),
    column((delivery) => delivery.payoutCents),
    column((delivery) => delivery.channel),
    column((delivery) => JSON.stringify(delivery.capWindows)),
    column((delivery) => delivery.appointmentAt),
    now,
  ]);
  await confirmDeliveries(
    tx,
    deliveries.filter((delivery) => delivery.channel === null).map((delivery) => delivery.deliveryId),
    now,
  );
}
