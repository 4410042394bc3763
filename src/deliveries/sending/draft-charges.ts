// Drafts the charges for deliveries that are confirmed by being there: nothing was ever held for them (contract 4.14).
import { draftTransfers } from '../../ledger/draft-transfers.ts';
import type { NewTransfer } from '../../ledger/transfer.rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import { chargesOf, type ConfirmedDelivery } from './charge-deliveries.ts';

/** For deliveries that this transaction has made: no other transaction can charge for them, so no lock is needed. */
export async function draftCharges(
  tx: Tx,
  made: readonly ConfirmedDelivery[],
  now: Date,
): Promise<readonly NewTransfer[]> {
  const { fresh } = await draftTransfers(tx, chargesOf(made), now);
  return fresh;
}
