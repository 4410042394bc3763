// Charges buyers for deliveries that this transaction has confirmed, once for each (contract 4.14).
import { typeId, type DeliveryId } from '../../base/ids.ts';
import { postTransfers } from '../../ledger/post-transfers.ts';
import type { TransferInput } from '../../ledger/transfer.rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import { deliveryRef, type EventType } from '../delivery-ref.ts';

export type ConfirmedDelivery = {
  readonly deliveryId: DeliveryId;
  readonly buyerKey: string;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly payoutCents: number;
};

/** What was held for them is given free with the charge. */
export async function chargeDeliveries(tx: Tx, confirmed: readonly ConfirmedDelivery[], now: Date): Promise<void> {
  await postTransfers(
    tx,
    chargesOf(confirmed).map((charge) => ({ ...charge, releaseHeldCents: charge.amountCents })),
    now,
  );
}

/** A free lead moves no money. */
export function chargesOf(confirmed: readonly ConfirmedDelivery[]): TransferInput[] {
  return confirmed
    .filter((delivery) => delivery.payoutCents > 0)
    .map(({ deliveryId, buyerKey, eventType, refNumber, payoutCents }) => ({
      businessKey: `sale:${typeId('delivery', deliveryId)}`,
      type: 'charge',
      buyerKey,
      amountCents: payoutCents,
      description: `${eventType} ${deliveryRef(eventType, refNumber)}`,
      deliveryId,
    }));
}
