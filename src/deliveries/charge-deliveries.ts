// Charges buyers for deliveries that this transaction has confirmed, once for each (contract 4.14).
import { typeId } from '../base/ids.ts';
import { lockAccounts } from '../ledger/accounts.ts';
import { draftTransfers, enterTransfers } from '../ledger/post-transfers.ts';
import { accountsOf, type TransferInput, type NewTransfer } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { deliveryRef, type ConfirmedDelivery } from './delivery.ts';

/**
 * The charge also releases the money that was held for the delivery. The accounts are locked last, for two round trips: the entries travel
 * together with the COMMIT. Drafting before the locks is safe, because only the transaction that confirms a delivery charges for it.
 */
export async function chargeDeliveries(tx: Tx, confirmed: readonly ConfirmedDelivery[], now: Date): Promise<void> {
  const charges = chargesOf(confirmed).map((charge) => ({ ...charge, releaseHeldCents: charge.amountCents }));
  const { fresh } = await draftTransfers(tx, charges, now);
  enterTransfers(tx, { fresh, accounts: await lockAccounts(tx, accountsOf(fresh)) }, now);
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
