// Charges buyers for deliveries that this transaction has confirmed, and posts what these cost, once for each (contract 4.14, 11.2).
import { typeId } from '../base/ids.ts';
import { lockAccounts } from '../ledger/accounts.ts';
import { draftTransfers, enterTransfers } from '../ledger/post-transfers.ts';
import {
  accountsOf,
  type AnyTransferInput,
  type NewTransfer,
  type SupplierTransferInput,
  type TransferInput,
} from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { deliveryRef, type ConfirmedDelivery } from './delivery.ts';

/**
 * Drafts the charges and costs of confirmed deliveries; the charges release what is held for them. Call it before any account is locked: only the transaction that confirms a delivery charges for it, but what is owed once per lead may be drafted by two
 * transactions that each confirm a sale of the lead, and the second one waits for the first.
 */
export async function draftCharges(
  tx: Tx,
  confirmed: readonly ConfirmedDelivery[],
  now: Date,
): Promise<readonly NewTransfer[]> {
  const { fresh } = await draftTransfers<AnyTransferInput>(tx, [...chargesOf(confirmed), ...costsOf(confirmed)], now);
  return fresh;
}

/**
 * Enters drafted charges and costs. The accounts are locked last, for two round trips: the entries travel together with the COMMIT, so it
 * must be the last step of its transaction.
 */
export async function enterCharges(tx: Tx, fresh: readonly NewTransfer[], now: Date): Promise<void> {
  enterTransfers(tx, { fresh, accounts: await lockAccounts(tx, accountsOf(fresh)) }, now);
}

/** Without free leads, which the buyer pays nothing for. */
function chargesOf(confirmed: readonly ConfirmedDelivery[]): TransferInput[] {
  return confirmed
    .filter((delivery) => delivery.payoutCents > 0)
    .map(({ deliveryId, buyerKey, eventType, refNumber, payoutCents, reservedCents }) => ({
      businessKey: `sale:${typeId('delivery', deliveryId)}`,
      type: 'charge',
      buyerKey,
      amountCents: payoutCents,
      description: `${eventType} ${deliveryRef(eventType, refNumber)}`,
      deliveryId,
      releaseHeldCents: reservedCents,
    }));
}

/** The description names the lead, which is the supplier's own, and nothing of the buyer. */
function costsOf(confirmed: readonly ConfirmedDelivery[]): SupplierTransferInput[] {
  return confirmed.flatMap(({ deliveryId, leadId, supplierKey, costModel, costCents }) =>
    costModel === null || costCents === null
      ? []
      : [
          {
            businessKey: costKey(costModel, { deliveryId, leadId }),
            type: 'cost',
            supplierKey,
            amountCents: costCents,
            description: `Lead ${typeId('lead', leadId)}`,
            deliveryId,
          },
        ],
  );
}

/** The business key of a cost: one per sale for a share, one per lead for a fixed amount. */
function costKey(
  model: 'fixed' | 'share',
  { deliveryId, leadId }: Pick<ConfirmedDelivery, 'deliveryId' | 'leadId'>,
): string {
  return model === 'fixed' ? `cost:${typeId('lead', leadId)}` : `cost:${typeId('delivery', deliveryId)}`;
}
