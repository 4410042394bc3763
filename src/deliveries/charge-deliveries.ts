// Charges buyers for deliveries that this transaction has confirmed, once for each (contract 4.14).
import { typeId } from '../base/ids.ts';
import { postTransfers, draftTransfers } from '../ledger/post-transfers.ts';
import type { TransferInput, NewTransfer } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { deliveryRef, type ConfirmedDelivery } from './delivery.ts';

/** The charge also releases the money that was held for the delivery. */
export async function chargeDeliveries(tx: Tx, confirmed: readonly ConfirmedDelivery[], now: Date): Promise<void> {
  await postTransfers(
    tx,
    chargesOf(confirmed).map((charge) => ({ ...charge, releaseHeldCents: charge.amountCents })),
    now,
  );
}

/** Without free leads, which cost nothing. */
function chargesOf(confirmed: readonly ConfirmedDelivery[]): TransferInput[] {
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

/**
 * Drafts the charges of deliveries that were confirmed when this transaction created them. No money was held for them, and no other
 * transaction can charge for them, so no lock is needed.
 */
export async function draftCharges(
  tx: Tx,
  made: readonly ConfirmedDelivery[],
  now: Date,
): Promise<readonly NewTransfer[]> {
  const { fresh } = await draftTransfers(tx, chargesOf(made), now);
  return fresh;
}
