// Pending → Confirmed, and the buyer charged, in one transaction: repeating it changes nothing (contract 4, money).
import { type Uuid, typeId } from '../base/ids.ts';
import type { CapSlot } from '../caps/cap-counters.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import type { Tx } from '../platform/database/database.ts';
import { deliveryRef, type EventType } from './delivery-ref.ts';
import { settleDeliveries } from './delivery.sql.ts';

export type SettledDelivery = {
  readonly deliveryId: Uuid;
  readonly buyerKey: string;
  readonly leadId: Uuid;
  readonly offerKey: string;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly payoutCents: number;
  readonly capWindows: readonly CapSlot[];
};

/** Answers how many of them were still pending. */
export async function confirmDeliveries(tx: Tx, deliveryIds: readonly Uuid[], now: Date): Promise<number> {
  if (deliveryIds.length === 0) return 0;
  const confirmed = await tx.query<SettledDelivery>(settleDeliveries, [deliveryIds, 'Confirmed', now, []]);
  await postTransfers(
    tx,
    // A free lead moves no money.
    confirmed
      .filter((delivery) => delivery.payoutCents > 0)
      .map((delivery) => ({
        businessKey: `sale:${typeId('delivery', delivery.deliveryId)}`,
        type: 'charge',
        buyerKey: delivery.buyerKey,
        amountCents: delivery.payoutCents,
        description: `${delivery.eventType} ${deliveryRef(delivery.eventType, delivery.refNumber)}`,
        deliveryId: delivery.deliveryId,
        releaseHeldCents: delivery.payoutCents,
      })),
    now,
  );
  return confirmed.length;
}
